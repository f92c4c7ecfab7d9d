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
    const arrow = document.createElement("span");
    arrow.className = "arrow";
    arrow.setAttribute("aria-hidden", "true");
    button.append(arrow);
    head.replaceChildren(button);
    head.setAttribute("aria-sort", "none");
  });
}

// What is folded away on a screen is wanted on paper.
addEventListener("beforeprint", () => {
  for (const folded of document.querySelectorAll("details")) folded.open = true;
});
