// The tree: what is pointed at or focused is described beside it, what is chosen is opened.

const tip = document.getElementById("tip");

function show(target) {
  const [title, ...lines] = target.dataset.tip.split("\n");
  const head = document.createElement("strong");
  head.textContent = title;
  tip.replaceChildren(head, ...lines.map((line) => {
    const part = document.createElement("span");
    part.textContent = line;
    return part;
  }));
  tip.hidden = false;
  const box = target.getBoundingClientRect();
  const left = Math.min(Math.max(8, box.left + box.width / 2 - tip.offsetWidth / 2), innerWidth - tip.offsetWidth - 8);
  const below = box.bottom + 8;
  const fits = below + tip.offsetHeight < innerHeight - 60;
  tip.style.left = `${left}px`;
  tip.style.top = `${fits ? below : Math.max(8, box.top - tip.offsetHeight - 8)}px`;
}

const hide = () => { tip.hidden = true; };

export function enliven(root, choose) {
  for (const target of root.querySelectorAll("[data-tip][data-event]")) { // of the picture, and of the list
    target.addEventListener("pointerenter", () => show(target));
    target.addEventListener("pointerleave", hide);
    if (target.matches(".node")) {
      target.addEventListener("focus", () => show(target));
      target.addEventListener("blur", hide);
    }
    if (!choose) continue;
    target.addEventListener("click", () => choose(Number(target.dataset.event)));
    if (!target.matches("button")) target.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        choose(Number(target.dataset.event));
      }
    });
  }
}

addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
addEventListener("scroll", hide, { passive: true, capture: true });
