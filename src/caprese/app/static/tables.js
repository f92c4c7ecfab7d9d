// Tables: sort by a heading, search the rows, open the card of a row.

export function enhance(root) {
  root.querySelectorAll("table:not(.plain)").forEach(sortable);
  root.querySelectorAll("table[data-search]").forEach(searchable);
  for (const term of root.querySelectorAll("a.term")) {
    term.addEventListener("click", (event) => {
      event.preventDefault();
      term.focus(); // shows the definition in place
    });
  }
}

function sortable(table) {
  const body = table.tBodies[0];
  const firstOrder = [...body.rows];
  const headings = [...table.tHead.rows[0].cells];
  const next = { none: "ascending", ascending: "descending", descending: "none" };

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
        const empty = one === null || other === null; // last in both directions
        return compare(one, other) * (empty ? 1 : sign);
      });
    }
    body.append(...rows);
    headings.forEach((heading, place) => {
      heading.setAttribute("aria-sort", place === column ? direction : "none");
    });
  };
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
    button.addEventListener("click", () => sort(column, next[heading.getAttribute("aria-sort")]));
    heading.replaceChildren(button);
    heading.setAttribute("aria-sort", "none");
  });
}

function searchable(table) {
  const rows = [...table.tBodies[0].rows];
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const place = document.createElement("div");
  const label = document.createElement("label");
  const number = document.createElement("output");
  const input = document.createElement("input");
  place.className = "search";
  place.setAttribute("role", "search");
  input.type = "search";
  label.textContent = `${table.dataset.search} `;
  label.append(input);
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, at) => {
      row.hidden = !words.every((word) => texts[at].includes(word));
      shown += row.hidden ? 0 : 1;
    });
    number.textContent = words.length ? `${shown} of ${rows.length}` : "";
  });
  place.append(label, number);
  table.closest(".scroll").before(place);
}
