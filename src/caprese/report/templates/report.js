"use strict";

// What the parts of a page can do: all of it at first, on the live page also what comes later.
function enhance(root) {
  root.querySelectorAll("table:not(.plain)").forEach(sortable);
  root.querySelectorAll("table[data-search]").forEach(searchable);
  root.querySelectorAll("a.opens").forEach(opening);
  root.querySelectorAll(".scroll").forEach(scrollable);
  root.querySelectorAll("figure").forEach(downloadable);
  root.querySelectorAll("a.term").forEach(explained);
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
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const place = document.createElement("div");
  const label = document.createElement("label");
  const input = document.createElement("input");
  const number = document.createElement("output");
  place.className = "search";
  place.setAttribute("role", "search");
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

// Print what is collapsed on the screen.
addEventListener("beforeprint", () => {
  for (const collapsed of document.querySelectorAll("details")) collapsed.open = true;
});

enhance(document);
