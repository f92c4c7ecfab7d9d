
// Fields above the tiles hide those without the words that were typed, and sort the others.
function tiled(list) {
  const tiles = [...list.children];
  const texts = tiles.map((tile) => `${tile.textContent} ${tile.dataset.foundBy}`.toLowerCase());
  const place = document.createElement("div");
  const [label, input, number, by, choice] =
    ["label", "input", "output", "label", "select"].map((tag) => document.createElement(tag));
  place.className = "search";
  place.setAttribute("role", "search");
  input.type = "search";
  input.autocomplete = "off";
  input.id = label.htmlFor = "find-tile";
  label.textContent = list.dataset.search;
  number.setAttribute("for", input.id);
  choice.id = by.htmlFor = "sort-tiles";
  by.textContent = "Sort by";

  const titles = [...tiles[0].querySelectorAll(".properties dt")].map((each) => each.textContent);
  const names = tiles.map((tile) => tile.querySelector("h3").textContent.trim());
  ["name", ...titles.map((title) => `${title}, most first`)].forEach((title, at) => {
    choice.append(new Option(title, at));
  });
  const value = (tile, at) => {
    const own = tile.querySelectorAll(".properties dd")[at].dataset.value;
    return own === "" ? -Infinity : Number(own);
  };

  const search = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    tiles.forEach((tile, at) => {
      tile.hidden = !words.every((word) => texts[at].includes(word));
      shown += tile.hidden ? 0 : 1;
    });
    number.textContent = words.length ? `${shown} of ${tiles.length}` : "";
  };
  const sort = () => {
    const by = Number(choice.value) - 1;
    const order = tiles.map((tile, at) => ({ tile, at, value: by < 0 ? 0 : value(tile, by) }));
    order.sort((a, b) => (b.value > a.value) - (b.value < a.value)
      || names[a.at].localeCompare(names[b.at], "en") || a.at - b.at);
    list.append(...order.map((each) => each.tile));
  };

  input.addEventListener("input", search);
  choice.addEventListener("change", sort);
  place.append(label, input, number, by, choice);
  list.before(place);
  search(); // a browser may restore what was typed or chosen before a reload
  sort();
}

document.querySelectorAll(".tiles").forEach(tiled);
