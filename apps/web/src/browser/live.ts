/**
 * Keeps a page up to date: requests it after each event of its records and replaces the parts that changed. Without
 * events it is polled. Each response is the whole state, so no change is lost while the connection is down or the page
 * is hidden. A hidden page receives no events and is not polled.
 */
import { createChangeEvents } from "./change-events.ts";
import { readPage } from "./read-page.ts";
import { byName, replaceHeader, replaceParts } from "./replace-parts.ts";
import { replaced, updated } from "./updated.ts";

const timeoutMs = 15_000;
const everyMs = 5_000;
const waitMaxMs = 120_000;
/** Interval for values that events do not report, such as positions of vessels. */
const withEventsEveryMs = 60_000;
/** While the page is pending, it is polled faster up to this many times: a carrier may take long. */
const pendingEveryMs = 1_000;
const pendingLooks = 60;
/** Gap between two requests after events. It grows while changes follow each other: a large account always has some. */
const gapMinMs = 1_000;
const gapMaxMs = 10_000;

const wordsOf = (element: Element | null): string => element?.textContent?.replace(/\s+/g, " ").trim() ?? "";

/** Values that a screen reader announces when they change: "Arrives at Hamburg: Sun, 5 Jul". */
const spoken = (root: ParentNode): Map<string, string> =>
  new Map([...byName(root, "data-say")].map(([name, element]) => [name, wordsOf(element)]));

const liveIn = (page: Document): HTMLElement | null => page.querySelector<HTMLElement>("[data-live]");

/** Returns false when the response is another page. */
function update(live: HTMLElement, page: Document, voice: HTMLElement): boolean {
  const fresh = liveIn(page);
  if (!fresh) return false;
  const before = spoken(live);
  replaceParts(live, fresh);
  replaceHeader(document, page);
  const changes = [...spoken(live)].filter(([name, words]) => before.has(name) && before.get(name) !== words);
  voice.textContent = changes.map(([, words]) => words).join(". ");
  live.dispatchEvent(new Event(updated, { bubbles: true }));
  const wasPending = "pending" in live.dataset;
  live.dataset.live = fresh.dataset.live;
  live.toggleAttribute("data-pending", "pending" in fresh.dataset);
  if (wasPending && fresh.dataset.opens) location.assign(fresh.dataset.opens);
  return true;
}

export function keepUpToDate(page: Document): void {
  if (!liveIn(page)) return;
  const voice = Object.assign(page.createElement("p"), { className: "hidden live-news" });
  voice.setAttribute("role", "status");
  const warning = Object.assign(page.createElement("p"), { className: "notice is-warning offline", hidden: true });
  warning.setAttribute("role", "status");
  page.body.append(voice, warning);

  let failures = 0;
  let looks = 0;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let gapMs = gapMinMs;
  let timer: number | undefined;
  let asking: AbortController | undefined;
  let hasChanged = false;

  const warn = (words: string): void => {
    warning.textContent = words;
    warning.hidden = words === "";
  };

  const stop = (): void => {
    clearTimeout(timer);
    asking?.abort();
    asking = undefined;
  };

  const lookIn = (waitMs: number): void => {
    clearTimeout(timer);
    timer = window.setTimeout(look, waitMs);
  };

  /** The first request after a pause is sent at once. */
  const lookAfterEvent = (): void => {
    hasChanged = true;
    if (!asking) lookIn(Math.max(0, lookedAtMs + gapMs - performance.now()));
  };

  const isPending = (): boolean => liveIn(page)?.hasAttribute("data-pending") ?? false;

  /** Notes the time of a request, and how long the next one after an event waits. */
  const noteLook = (): void => {
    const nowMs = performance.now();
    const isRow = nowMs - lookedAtMs < 2 * gapMs && !isPending();
    gapMs = isRow ? Math.min(gapMs * 1.5, gapMaxMs) : gapMinMs;
    lookedAtMs = nowMs;
  };

  const events = createChangeEvents(lookAfterEvent, () => lookIn(waitMs()));

  const receiveEvents = (): void => {
    const address = liveIn(page)?.dataset.events;
    if (address === undefined || page.hidden) events.close();
    else events.open(address);
  };

  const plainWaitMs = (): number => {
    if (failures > 0) return everyMs * 2 ** failures;
    if (events.isReady()) return withEventsEveryMs;
    return isPending() && looks < pendingLooks ? pendingEveryMs : everyMs;
  };

  /** Jitter spreads the requests of pages that were opened together. */
  const waitMs = (): number => Math.min(plainWaitMs(), waitMaxMs) * (0.9 + Math.random() / 5);

  const look = async (): Promise<void> => {
    stop();
    receiveEvents();
    looks += 1;
    // Includes pages that were opened in the background. They poll as soon as they become visible.
    if (page.hidden) return;
    const mine = new AbortController();
    asking = mine;
    hasChanged = false;
    noteLook();
    const live = liveIn(page);
    if (!live) return;
    try {
      const version = live.dataset.live ?? "";
      const fresh = await readPage(location.href, { version, signal: mine.signal, timeoutMs });
      // The response is another page, such as the login: show it.
      if (fresh && !update(live, fresh, voice)) return location.reload();
      failures = 0;
      warn("");
    } catch {
      if (mine.signal.aborted) return;
      failures += 1;
      if (failures >= 2) warn("Connection lost. Data may be out of date; retrying.");
    }
    if (asking !== mine) return;
    asking = undefined;
    if (hasChanged && failures === 0) lookAfterEvent();
    else lookIn(waitMs());
  };

  page.addEventListener(replaced, () => {
    stop();
    failures = 0;
    warn("");
    voice.textContent = wordsOf(page.querySelector("main [role=status]"));
    lookIn(waitMs());
  });
  page.addEventListener("visibilitychange", () => void look());
  // A page with an open connection is not kept for the way back.
  window.addEventListener("pagehide", () => events.close());
  window.addEventListener("online", () => void look());
  window.addEventListener("pageshow", (event) => event.persisted && void look());
  receiveEvents();
  lookIn(waitMs());
}
