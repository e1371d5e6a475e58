import { ageText } from "../pages/relative-time.ts";
import { pageUpdatedEvent } from "./live-events.ts";

const everyMs = 30_000;
const selector = "time[data-age]";

/** When the page received each age, on the clock of the browser. The ages are from the clock of the server. */
const receivedAt = new WeakMap<HTMLTimeElement, number>();

const agesIn = (root: ParentNode): HTMLTimeElement[] => [...root.querySelectorAll<HTMLTimeElement>(selector)];

function renderAges(page: Document): void {
  for (const time of agesIn(page)) {
    const since = receivedAt.get(time) ?? Date.now();
    receivedAt.set(time, since);
    const ms = Date.parse(time.dateTime) - Number(time.dataset.age) - (Date.now() - since);
    const text = ageText(ms, time.dataset.form);
    if (time.textContent !== text) time.textContent = text;
  }
}

/** Updates relative times such as "5 minutes ago" while the page is open. */
export function startAgeUpdates(page: Document): void {
  // The texts come from the server. They age from now on.
  for (const time of agesIn(page)) receivedAt.set(time, Date.now());
  page.addEventListener(pageUpdatedEvent, () => renderAges(page));
  setInterval(() => renderAges(page), everyMs);
}

function copyWithoutAges(element: HTMLElement): HTMLElement {
  const copy = element.cloneNode(true) as HTMLElement;
  for (const time of agesIn(copy)) {
    time.dataset.age = "";
    time.textContent = "";
  }
  return copy;
}

/**
 * The markup of an element without its ages and without what the user has opened, so that neither counts as a change:
 * what is typed in an open menu stays.
 */
export function markupWithoutAges(element: HTMLElement): string {
  const copy = copyWithoutAges(element);
  for (const details of copy.querySelectorAll("details[id]")) details.removeAttribute("open");
  return copy.outerHTML;
}

/** The text of an element without its ages. */
export const textWithoutAges = (element: HTMLElement): string =>
  copyWithoutAges(element).textContent.replace(/\s+/g, " ").trim();

/** Copies the ages of `fresh`, the same element from a newer response of the server, to `old`. */
export function takeAges(old: HTMLElement, fresh: HTMLElement): void {
  const newTimes = agesIn(fresh);
  for (const [index, time] of agesIn(old).entries()) {
    time.dataset.age = newTimes[index]?.dataset.age ?? "";
    receivedAt.delete(time);
  }
}
