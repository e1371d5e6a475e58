import { pageUpdatedEvent } from "./live-events.ts";

const rowCheckboxes = (root: ParentNode): HTMLInputElement[] => [
  ...root.querySelectorAll<HTMLInputElement>("input.pick[name]"),
];

const groupCheckboxes = (group: HTMLInputElement): HTMLInputElement[] => rowCheckboxes(group.closest("tr") ?? group);

/** A box that stands for others: checked when all of them are, and between when some are. */
function mark(checkbox: HTMLInputElement, others: readonly HTMLInputElement[]): void {
  const picked = others.filter(({ checked }) => checked).length;
  checkbox.checked = picked > 0 && picked === others.length;
  checkbox.indeterminate = picked > 0 && picked < others.length;
}

/** Counts the selected rows of a list, selects all of them, with Shift those between two, and clears them. */
export function pickRows(page: Document): void {
  let last: string | null = null;

  const count = (): void => {
    const checkboxes = rowCheckboxes(page);
    const picked = checkboxes.filter(({ checked }) => checked).length;
    const status = page.querySelector<HTMLElement>("[data-picked]");
    if (status) status.textContent = picked === 0 ? "" : `${picked} selected`;
    for (const group of page.querySelectorAll<HTMLInputElement>("[data-pick-group]"))
      mark(group, groupCheckboxes(group));
    const all = page.querySelector<HTMLInputElement>("[data-pick-all]");
    if (all) mark(all, checkboxes);
  };

  page.addEventListener("click", (event) => {
    const checkbox = event.target;
    if (!(checkbox instanceof HTMLInputElement) || !checkbox.matches(".pick")) return;
    const checkboxes = rowCheckboxes(page);
    if (checkbox.matches("[data-pick-all]")) {
      for (const one of checkboxes) one.checked = checkbox.checked;
    } else if (checkbox.matches("[data-pick-group]")) {
      for (const one of groupCheckboxes(checkbox)) one.checked = checkbox.checked;
    } else {
      const [from, to] = [checkboxes.findIndex(({ value }) => value === last), checkboxes.indexOf(checkbox)].toSorted(
        (a, b) => a - b,
      );
      if (event.shiftKey && from !== undefined && from >= 0) {
        for (const one of checkboxes.slice(from, (to ?? from) + 1)) one.checked = checkbox.checked;
      }
      last = checkbox.value;
    }
    count();
  });
  // The event precedes the reset. Without a selection the bar, which had the focus, is hidden.
  page.addEventListener("reset", ({ target }) => {
    if (!(target instanceof HTMLFormElement) || !target.matches(".rows-bar")) return;
    setTimeout(() => {
      count();
      rowCheckboxes(page)
        .find(({ value }) => value === last)
        ?.focus({ preventScroll: true });
    });
  });
  page.addEventListener(pageUpdatedEvent, count);
  count();
}
