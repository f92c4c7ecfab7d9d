"use strict";

// What the parts of a page can do: all of it at first, on the live page also what comes later.
function enhance(root) {
  root.querySelectorAll("table:not(.plain)").forEach(sortable);
  root.querySelectorAll("table[data-search]").forEach(searchable);
  root.querySelectorAll("a.opens").forEach(opening);
  root.querySelectorAll(".scroll").forEach(scrollable);
  root.querySelectorAll("figure").forEach(downloadable);
  root.querySelectorAll("figure").forEach(zoomable);
  root.querySelectorAll("a.term").forEach(explained);
  root.querySelectorAll(".finder").forEach(finding);
}

// A click on a column heading sorts the rows: ascending, descending, then in their first order.
function sortable(table) {
  const body = table.tBodies[0];
  const firstOrder = [...body.rows];
  const headings = [...table.tHead.rows[0].cells];

  const key = (row, column) => {
    const cell = row.cells[column];
    if (cell.dataset.value === undefined) return cell.textContent.trim();
    return cell.dataset.value === "" ? null : Number(cell.dataset.value);
  };

  const compare = (one, other) => {
    if (one === null || other === null) return (one === null) - (other === null);
    return typeof one === "number" ? one - other : one.localeCompare(other);
  };

  const sort = (column, direction) => {
    const sign = direction === "descending" ? -1 : 1;
    const rows = [...firstOrder];
    if (direction !== "none") {
      rows.sort((a, b) => {
        const one = key(a, column), other = key(b, column);
        const empty = one === null || other === null; // empty cells are last in both directions
        return compare(one, other) * (empty ? 1 : sign);
      });
    }
    body.append(...rows);
    headings.forEach((heading, place) => {
      heading.setAttribute("aria-sort", place === column ? direction : "none");
    });
  };

  const hint = document.createElement("span");
  hint.className = "hint";
  hint.textContent = " Click a heading to sort.";
  table.caption.querySelector(".note").append(hint);

  headings.forEach((heading, column) => {
    const term = heading.querySelector(".term");
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = heading.textContent.trim();
    if (term) {
      button.className = "term";
      button.dataset.tip = term.dataset.tip;
      button.setAttribute("aria-describedby", term.getAttribute("aria-describedby"));
    }
    const next = { none: "ascending", ascending: "descending", descending: "none" };
    button.addEventListener("click", () => sort(column, next[heading.getAttribute("aria-sort")]));
    heading.replaceChildren(button);
    heading.setAttribute("aria-sort", "none");
  });
}

// A field above a table hides the rows that do not have all the words that were typed.
function searchable(table) {
  const rows = [...table.tBodies[0].rows];
  const columns = table.dataset.foundBy?.split(" ");
  const text = (row) => columns ? columns.map((at) => row.cells[at].textContent).join(" ") : row.textContent;
  const texts = rows.map((row) => text(row).toLowerCase());
  const place = document.createElement("div");
  const label = document.createElement("label");
  const input = document.createElement("input");
  const number = document.createElement("output");
  place.className = "search";
  place.setAttribute("role", "search");
  place.setAttribute("aria-label", table.dataset.search);
  input.type = "search";
  input.autocomplete = "off";
  input.id = "search-" + document.querySelectorAll(".search").length;
  label.htmlFor = input.id;
  label.textContent = table.dataset.search;
  number.setAttribute("for", input.id);

  const search = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, at) => {
      row.hidden = !words.every((word) => texts[at].includes(word));
      shown += row.hidden ? 0 : 1;
    });
    number.textContent = words.length ? `${shown} of ${rows.length}` : "";
  };

  input.addEventListener("input", search);
  place.append(label, input, number);
  table.closest(".scroll").before(place);
  search(); // a browser may restore what was typed before a reload
}

// A click anywhere in a row opens its card; Escape closes it and goes back to the row.
function opening(opener) {
  opener.closest("tr").addEventListener("click", (event) => {
    if (!event.target.closest("a") && !getSelection().toString()) opener.click();
  });
}
addEventListener("hashchange", () => {
  const card = document.querySelector(".card:target");
  if (card) card.focus();
});
addEventListener("keydown", (event) => {
  const card = document.querySelector(".card:target");
  if (event.key !== "Escape" || !card || !card.contains(document.activeElement)) return;
  location.hash = `${card.id}-row`;
  document.getElementById(`${card.id}-row`).focus();
});

// Say that a picture continues to the right, and let the end of what does fade.
function scrollable(frame) {
  const hint = document.createElement("span");
  hint.className = "hint";
  hint.textContent = " Scroll it sideways to see all of it.";
  frame.closest("figure")?.querySelector("figcaption").append(hint);
  const update = () => {
    hint.hidden = frame.scrollWidth <= frame.clientWidth + 1;
    frame.classList.toggle("more", frame.scrollLeft + frame.clientWidth < frame.scrollWidth - 1);
  };
  frame.addEventListener("scroll", update, { passive: true });
  new ResizeObserver(update).observe(frame);
}

// A picture is downloaded as a file of its own, in the colours of the light scheme.
function downloadable(figure) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Download this picture (SVG)";
  button.addEventListener("click", () => {
    const light = document.styleSheets[0].cssRules[0].style;
    const picture = figure.querySelector("svg").cloneNode(true);
    const [, , width, height] = picture.getAttribute("viewBox").split(" ");
    picture.removeAttribute("style");
    picture.removeAttribute("aria-hidden");
    const own = { width: `${width}pt`, height: `${height}pt`, fill: "var(--ink)", "stroke-linejoin": "round" };
    for (const [name, value] of Object.entries(own)) picture.setAttribute(name, value);
    const text = new XMLSerializer().serializeToString(picture)
      .replace(/var\((--[a-z]+)\)/g, (_, name) => light.getPropertyValue(name).trim());
    const link = document.createElement("a");
    link.download = `${figure.dataset.name}.svg`;
    link.href = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
    link.click();
  });
  figure.querySelector("figcaption").append(" ", button);
}

// A tap shows the definition of a term in place; the keyboard can still follow the link to the glossary.
function explained(term) {
  term.addEventListener("click", (event) => {
    if (event.detail === 0) return; // from the keyboard
    event.preventDefault();
    term.focus();
  });
}
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && document.activeElement.matches(".term")) {
    document.activeElement.blur();
  }
});

// A picture is enlarged by buttons or by the keys + and -, 0 shows all of it; the mouse drags it.
function zoomable(figure) {
  const frame = figure.querySelector(".scroll"), picture = frame.querySelector("svg");
  if (!picture) return;
  let factor = Number(picture.style.getPropertyValue("--zoom")) || 1; // of a picture drawn anew
  frame.classList.toggle("zoomed", factor > 1);
  const zoom = (to) => {
    const middle = (frame.scrollLeft + frame.clientWidth / 2) / frame.scrollWidth;
    const centre = (frame.scrollTop + frame.clientHeight / 2) / frame.scrollHeight;
    factor = Math.min(Math.max(to, 1), 8);
    picture.style.setProperty("--zoom", factor);
    frame.classList.toggle("zoomed", factor > 1);
    frame.scrollLeft = middle * frame.scrollWidth - frame.clientWidth / 2;
    frame.scrollTop = centre * frame.scrollHeight - frame.clientHeight / 2;
  };
  const steps = [
    ["+", "Enlarge", () => zoom(factor * 1.4)],
    ["\u2212", "Reduce", () => zoom(factor / 1.4)],
    ["fit", "Show all of it", () => zoom(1)],
  ];
  const bar = document.createElement("span");
  bar.className = "zoom";
  for (const [sign, name, act] of steps) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = sign;
    button.title = name;
    button.setAttribute("aria-label", `${name}: ${figure.dataset.name}`);
    button.addEventListener("click", act);
    bar.append(button);
  }
  figure.querySelector("figcaption").append(bar);
  frame.addEventListener("keydown", (event) => {
    const at = ["+", "-", "0"].indexOf(event.key === "=" ? "+" : event.key);
    if (at < 0 || event.ctrlKey || event.metaKey || event.target !== frame) return;
    event.preventDefault();
    steps[at][2]();
  });
  frame.addEventListener("pointerdown", (event) => {
    if (factor === 1 || event.pointerType !== "mouse") return;
    const from = [frame.scrollLeft + event.clientX, frame.scrollTop + event.clientY];
    const move = (to) => frame.scrollTo(from[0] - to.clientX, from[1] - to.clientY);
    frame.addEventListener("pointermove", move);
    addEventListener("pointerup", () => frame.removeEventListener("pointermove", move), { once: true });
  });
  const list = figure.querySelector(".steps");
  const wide = parseFloat(figure.style.getPropertyValue("--wide"));
  if (list && matchMedia("(max-width: 40rem)").matches && frame.clientWidth < 0.8 * wide) {
    list.open = true; // where the picture is too small to be read
    figure.prepend(list);
  }
}

// An event that is pointed at, focused or tapped is marked wherever it is; Escape ends that.
const nameOf = (element) => element.dataset.about ?? (element.title || element.textContent);
const placesOf = (name) => [...document.querySelectorAll("main .region, main bdi")].filter((each) => nameOf(each) === name);
let pinned = null, shown = null;

function mark(name) {
  if (name === shown) return;
  document.querySelectorAll(".lit").forEach((each) => each.classList.remove("lit"));
  if (name !== null) placesOf(name).forEach((each) => each.classList.add("lit"));
  shown = name;
}
function pin(name) {
  pinned = name;
  mark(name);
  for (const button of document.querySelectorAll(".finder button")) {
    button.setAttribute("aria-pressed", nameOf(button) === name);
  }
}
const eventAt = (target) => target.closest?.(".region, main bdi, .finder button") ?? null;
addEventListener("pointerover", (event) => {
  const at = eventAt(event.target);
  mark(at ? nameOf(at) : pinned);
});
addEventListener("focusin", (event) => {
  const at = eventAt(event.target) ?? event.target.querySelector?.(":scope > bdi");
  if (at) mark(nameOf(at));
});
addEventListener("click", (event) => {
  const at = eventAt(event.target);
  if (at && !at.closest("button, summary")) pin(nameOf(at) === pinned ? null : nameOf(at));
});
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && pinned !== null) pin(null);
});

// A field narrows the list of events; a choice, or Enter, leads from one place of the event to the next.
function finding(finder) {
  const input = finder.querySelector("input"), said = finder.querySelector("output");
  const buttons = [...finder.querySelectorAll("button")];
  let at = -1;
  finder.hidden = false;

  const go = (button) => {
    const name = nameOf(button), places = placesOf(name);
    at = name === pinned ? at + 1 : 0;
    pin(name);
    if (!places.length) return;
    const place = places[at % places.length];
    for (let up = place.closest("details"); up; up = up.parentElement.closest("details")) up.open = true;
    place.scrollIntoView({ block: "center", inline: "center" });
    said.textContent = `place ${1 + (at % places.length)} of ${places.length}`;
  };
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().trim();
    let number = 0;
    for (const button of buttons) {
      const found = nameOf(button).toLowerCase().includes(words);
      button.parentElement.hidden = !found;
      number += found;
    }
    const one = buttons.find((button) => !button.parentElement.hidden);
    said.textContent = words ? `${number} of ${buttons.length} events` : "";
    pin(words && one ? nameOf(one) : null);
    at = -1;
  });
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    const one = buttons.find((button) => !button.parentElement.hidden);
    if (one) go(one);
  });
  for (const button of buttons) {
    button.setAttribute("aria-pressed", "false");
    button.addEventListener("click", () => go(button));
  }
}

// A link into a folded section opens it, and one button opens or folds all.
function unfold() {
  let target = null;
  try { target = document.getElementById(decodeURIComponent(location.hash.slice(1))); } catch { return; }
  const own = target?.querySelector(":scope > details.fold");
  if (own) own.open = true;
  for (let up = target?.closest("details"); up; up = up.parentElement.closest("details")) up.open = true;
  if (target) target.scrollIntoView();
}
function folding(list) {
  const folds = [...document.querySelectorAll("main details.fold")];
  if (!folds.length) return;
  const place = document.createElement("p"), button = document.createElement("button");
  place.className = "folding";
  button.type = "button";
  const update = () => { button.textContent = folds.some((each) => !each.open) ? "Open all sections" : "Fold all sections"; };
  button.addEventListener("click", () => {
    const open = folds.some((each) => !each.open);
    for (const each of folds) each.open = open;
  });
  for (const each of folds) each.addEventListener("toggle", update);
  update();
  place.append(button);
  list.after(place);
  for (const link of list.querySelectorAll("a")) link.addEventListener("click", () => setTimeout(unfold));
}
addEventListener("hashchange", unfold);

// Print what is collapsed on the screen.
addEventListener("beforeprint", () => {
  for (const collapsed of document.querySelectorAll("details")) collapsed.open = true;
});

enhance(document);
document.querySelectorAll("nav ol").forEach(folding);
unfold();
