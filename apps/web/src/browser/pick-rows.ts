import { updated } from "./updated.ts";

const boxesOf = (page: Document): HTMLInputElement[] => [
  ...page.querySelectorAll<HTMLInputElement>("input.pick[name]"),
];

/** Counts the selected rows of a list, selects all of them, and with Shift those between two. */
export function pickRows(page: Document): void {
  let last: string | null = null;

  const count = (): void => {
    const boxes = boxesOf(page);
    const picked = boxes.filter(({ checked }) => checked).length;
    const words = page.querySelector<HTMLElement>("[data-picked]");
    if (words) words.textContent = picked === 0 ? "" : `${picked} selected`;
    const all = page.querySelector<HTMLInputElement>("[data-pick-all]");
    if (!all) return;
    all.checked = picked > 0 && picked === boxes.length;
    all.indeterminate = picked > 0 && picked < boxes.length;
  };

  page.addEventListener("click", (event) => {
    const box = event.target;
    if (!(box instanceof HTMLInputElement) || !box.matches(".pick")) return;
    const boxes = boxesOf(page);
    if (box.matches("[data-pick-all]")) {
      for (const one of boxes) one.checked = box.checked;
    } else {
      const [from, to] = [boxes.findIndex(({ value }) => value === last), boxes.indexOf(box)].toSorted((a, b) => a - b);
      if (event.shiftKey && from !== undefined && from >= 0) {
        for (const one of boxes.slice(from, (to ?? from) + 1)) one.checked = box.checked;
      }
      last = box.value;
    }
    count();
  });
  page.addEventListener(updated, count);
  page.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    const menu = page.activeElement?.closest<HTMLDetailsElement>("details[data-closes][open]");
    menu?.removeAttribute("open");
    menu?.querySelector("summary")?.focus();
  });
  // One menu of a row is open at a time, until the next click elsewhere.
  page.addEventListener("click", ({ target }) => {
    for (const menu of page.querySelectorAll("details[data-closes][open]")) {
      if (!(target instanceof Node && menu.contains(target))) menu.removeAttribute("open");
    }
  });
  count();
}
