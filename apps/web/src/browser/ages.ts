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

/** What is told relative to now grows older while the page stands open. */
export function keepAges(page: Document): void {
  // The words are the server's own; from now on they grow old.
  for (const time of agesIn(page)) toldAt.set(time, Date.now());
  page.addEventListener(updated, () => tellAges(page));
  setInterval(() => tellAges(page), everyMs);
}

/** The markup of an element without its ages, so that growing older alone is no change. */
export function markupWithoutAges(element: HTMLElement): string {
  const copy = element.cloneNode(true) as HTMLElement;
  for (const time of agesIn(copy)) {
    time.dataset.age = "";
    time.textContent = "";
  }
  return copy.outerHTML;
}

/** Tells the ages of an element as the server tells them now, of the same element anew. */
export function takeAges(old: HTMLElement, fresh: HTMLElement): void {
  const news = agesIn(fresh);
  for (const [index, time] of agesIn(old).entries()) {
    time.dataset.age = news[index]?.dataset.age ?? "";
    toldAt.delete(time);
  }
}
