import { updated } from "./updated.ts";

const boxesOf = (root: ParentNode): HTMLInputElement[] => [
  ...root.querySelectorAll<HTMLInputElement>("input.pick[name]"),
];

const boxesOfRow = (group: HTMLInputElement): HTMLInputElement[] => boxesOf(group.closest("tr") ?? group);

/** A box that stands for others: checked when all of them are, and between when some are. */
function mark(box: HTMLInputElement, others: readonly HTMLInputElement[]): void {
  const picked = others.filter(({ checked }) => checked).length;
  box.checked = picked > 0 && picked === others.length;
  box.indeterminate = picked > 0 && picked < others.length;
}

/** Counts the selected rows of a list, selects all of them, with Shift those between two, and clears them. */
export function pickRows(page: Document): void {
  let last: string | null = null;

  const count = (): void => {
    const boxes = boxesOf(page);
    const picked = boxes.filter(({ checked }) => checked).length;
    const status = page.querySelector<HTMLElement>("[data-picked]");
    if (status) status.textContent = picked === 0 ? "" : `${picked} selected`;
    for (const group of page.querySelectorAll<HTMLInputElement>("[data-pick-group]")) mark(group, boxesOfRow(group));
    const all = page.querySelector<HTMLInputElement>("[data-pick-all]");
    if (all) mark(all, boxes);
  };

  page.addEventListener("click", (event) => {
    const box = event.target;
    if (!(box instanceof HTMLInputElement) || !box.matches(".pick")) return;
    const boxes = boxesOf(page);
    if (box.matches("[data-pick-all]")) {
      for (const one of boxes) one.checked = box.checked;
    } else if (box.matches("[data-pick-group]")) {
      for (const one of boxesOfRow(box)) one.checked = box.checked;
    } else {
      const [from, to] = [boxes.findIndex(({ value }) => value === last), boxes.indexOf(box)].toSorted((a, b) => a - b);
      if (event.shiftKey && from !== undefined && from >= 0) {
        for (const one of boxes.slice(from, (to ?? from) + 1)) one.checked = box.checked;
      }
      last = box.value;
    }
    count();
  });
  // The event precedes the reset. Without a selection the bar, which had the focus, is hidden.
  page.addEventListener("reset", ({ target }) => {
    if (!(target instanceof HTMLFormElement) || !target.matches(".rows-bar")) return;
    setTimeout(() => {
      count();
      boxesOf(page)
        .find(({ value }) => value === last)
        ?.focus({ preventScroll: true });
    });
  });
  page.addEventListener(updated, count);
  count();
}
