import type { Page } from "playwright-core";

/**
 * Makes the open page look the same in every run: replaces random ids and secrets, ports, and what real time decides
 * (times, durations, attempts of deliveries, charts of them), and shortens long lists. Waits for the map of the home
 * page. The page is no longer updated.
 */
export async function makeRepeatable(page: Page): Promise<void> {
  await page.locator("[data-voyages]").waitFor({ state: "detached" });
  await page.evaluate(replaceWhatVaries, Date.now());
}

/** Runs in the page: everything that it uses is inside. */
function replaceWhatVaries(now: number): void {
  const visibleRows = 4;
  // Counts of deliveries, of what is open while the picture is taken, and of exceptions that ended: whether one is
  // found before the reply that ends it depends on which worker comes first.
  const countsThatVary =
    "svg.hours ~ *, #performance dd, .figures dd, .open-count > [aria-hidden], [href*='status=resolved'] > .count";
  // The clock of the voyages is paused far away from the real time.
  const nearMs = 60 * 86_400_000;
  const isNear = (text: string): boolean => Math.abs(Date.parse(text) - now) < nearMs;
  const patterns: readonly (readonly [RegExp, string | ((match: string) => string)])[] = [
    [/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "00000000-0000-7000-8000-000000000000"],
    [/\/(share|join)\/[\w-]{43}/g, `/$1/${"A".repeat(43)}`],
    [/\b(svc_\w+_…)[0-9a-f]{4}\b/g, "$10000"],
    [/\bv1,[\w+/]{43}=/g, `v1,${"A".repeat(43)}=`],
    [/\b[0-9a-f]{64}\b/g, "0".repeat(64)],
    [/\b(127\.0\.0\.1|localhost):\d{5}\b/g, "$1:10000"],
    [
      /\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?( UTC|Z)?)?/g,
      (time) => (isNear(time.replace(" UTC", "Z")) ? time.replace(/\d/g, "0") : time),
    ],
    [/\b\d+ ms\b/g, "1 ms"],
    [/\b([Aa]ttempt) \d+\b/g, "$1 1"],
    // Containers of different shipments are found in any order: another one is the newest.
    [/^Where is container [A-Z]{4}\d{7}/, "Where is container SBXU0000000"],
    [/^\d{10}$/, "1700000000"],
  ];
  const stable = (text: string): string => patterns.reduce((all, [from, to]) => all.replace(from, to as string), text);

  // When a notification is sent next, and how many attempts are sampled, is another in each run.
  const notesThatVary = "[data-part=due], [data-part=resend], [id^=attempt-] > p:has(time), #performance > p";
  for (const note of document.querySelectorAll(notesThatVary)) note.remove();
  for (const part of document.querySelectorAll<HTMLElement>("[data-part]")) part.dataset.part = "still";
  for (const time of document.querySelectorAll("time")) {
    if (isNear(time.dateTime)) time.textContent = time.dataset.age ? "just now" : "1 Jan 2000, 00:00 UTC";
    delete time.dataset.age;
  }
  // A journey is whole: its last steps are the pickup and the return.
  for (const rows of document.querySelectorAll("tbody, main ul, main ol:not(.timeline, .places, .stages)")) {
    for (const row of [...rows.children].slice(visibleRows)) row.remove();
  }
  // Notifications are in the order of real time, and each waits or is sent at the moment: the labels of one stay.
  for (const rows of document.querySelectorAll("tbody:has(a[href^='/developers/notifications/'])")) {
    for (const row of [...rows.children].slice(1)) row.remove();
    for (const cell of rows.querySelectorAll<HTMLElement>("[data-label]")) cell.textContent = cell.dataset.label ?? "";
  }
  for (const attempt of [...document.querySelectorAll("li:has(> [id^='attempt-'])")].slice(1)) attempt.remove();
  for (const count of document.querySelectorAll(countsThatVary)) count.textContent = "0";
  for (const drawing of document.querySelectorAll<SVGElement>("svg.hours, #performance svg")) {
    drawing.style.visibility = "hidden";
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) node.nodeValue = stable(node.nodeValue ?? "");
  for (const field of document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input, textarea")) {
    if (field.type.startsWith("date")) {
      if (isNear(field.value)) field.value = field.type === "date" ? "2000-01-01" : "2000-01-01T00:00";
    } else if (field.type !== "hidden" && stable(field.value) !== field.value) field.value = stable(field.value);
  }
}
