import { relativeTime } from "../pages/relative-time.ts";
import { updated } from "./updated.ts";

const everyMs = 30_000;
const selector = "time[data-age]";

/** When each was told by the server, whose clock counts: on this machine's. */
const toldAt = new WeakMap<HTMLTimeElement, number>();

const agesIn = (root: ParentNode): HTMLTimeElement[] => [...root.querySelectorAll<HTMLTimeElement>(selector)];

function tellAges(page: Document): void {
  for (const time of agesIn(page)) {
    const told = toldAt.get(time) ?? Date.now();
    toldAt.set(time, told);
    const words = relativeTime(Date.parse(time.dateTime) - Number(time.dataset.age) - (Date.now() - told));
    if (time.textContent !== words) time.textContent = words;
  }
}

/** Updates relative times such as "5 minutes ago" while the page is open. */
export function keepAges(page: Document): void {
  // The words are the server's own; from now on they grow old.
  for (const time of agesIn(page)) toldAt.set(time, Date.now());
  page.addEventListener(updated, () => tellAges(page));
  setInterval(() => tellAges(page), everyMs);
}

/** The markup of an element without its ages, so that a later age alone does not count as a change. */
export function markupWithoutAges(element: HTMLElement): string {
  const copy = element.cloneNode(true) as HTMLElement;
  for (const time of agesIn(copy)) {
    time.dataset.age = "";
    time.textContent = "";
  }
  return copy.outerHTML;
}

/** Copies the ages of `fresh`, the same element from a newer response of the server, to `old`. */
export function takeAges(old: HTMLElement, fresh: HTMLElement): void {
  const news = agesIn(fresh);
  for (const [index, time] of agesIn(old).entries()) {
    time.dataset.age = news[index]?.dataset.age ?? "";
    toldAt.delete(time);
  }
}
