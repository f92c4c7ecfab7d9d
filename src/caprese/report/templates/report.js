"use strict";

// A click on the head of a column sorts the rows: up, then down, then back as they were.
for (const table of document.querySelectorAll("table")) {
  const body = table.tBodies[0];
  const asWritten = [...body.rows];
  const heads = [...table.tHead.rows[0].cells];

  const key = (row, column) => {
    const cell = row.cells[column];
    if (cell.dataset.value === undefined) return cell.textContent.trim();
    return cell.dataset.value === "" ? null : Number(cell.dataset.value);
  };

  const compared = (one, other) => {
    if (one === null || other === null) return (one === null) - (other === null);
    return typeof one === "number" ? one - other : one.localeCompare(other);
  };

  const sort = (column, direction) => {
    const turned = direction === "descending" ? -1 : 1;
    const rows = [...asWritten];
    if (direction !== "none") {
      rows.sort((a, b) => {
        const one = key(a, column), other = key(b, column);
        const empty = one === null || other === null; // what is empty stays last either way
        return compared(one, other) * (empty ? 1 : turned);
      });
    }
    body.append(...rows);
    heads.forEach((head, place) => {
      head.setAttribute("aria-sort", place === column ? direction : "none");
    });
  };

  const hint = document.createElement("span");
  hint.className = "hint";
  hint.textContent = " Press a heading to sort.";
  table.caption.querySelector(".note").append(hint);

  heads.forEach((head, column) => {
    const term = head.querySelector(".term");
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent.trim();
    if (term) {
      button.className = "term";
      button.dataset.tip = term.dataset.tip;
      button.setAttribute("aria-describedby", term.getAttribute("aria-describedby"));
    }
    const next = { none: "ascending", ascending: "descending", descending: "none" };
    button.addEventListener("click", () => sort(column, next[head.getAttribute("aria-sort")]));
    head.replaceChildren(button);
    head.setAttribute("aria-sort", "none");
  });
}

// A tap explains a term where it stands; the keyboard can still follow the link to all words.
for (const term of document.querySelectorAll("a.term")) {
  term.addEventListener("click", (event) => {
    if (event.detail === 0) return; // made by a key
    event.preventDefault();
    term.focus();
  });
}
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && document.activeElement.matches(".term")) {
    document.activeElement.blur();
  }
});

// What is folded away on a screen is wanted on paper.
addEventListener("beforeprint", () => {
  for (const folded of document.querySelectorAll("details")) folded.open = true;
});
