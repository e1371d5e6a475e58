/**
 * Keeps a page up to date: requests it after each event of its records and replaces the parts that changed. Without
 * events it is polled. Each response is the whole state, so no change is lost while the connection is down or the page
 * is hidden. A hidden page receives no events and is not polled.
 */
import { createChangeEvents } from "./change-events.ts";
import { pageReplacedEvent, pageUpdatedEvent } from "./live-events.ts";
import { readPage } from "./read-page.ts";
import { byName, replaceHeader, replaceParts } from "./replace-parts.ts";

const timeoutMs = 15_000;
const everyMs = 5_000;
const waitMaxMs = 120_000;
/** Interval for values that events do not report, such as positions of vessels. */
const withEventsEveryMs = 60_000;
/** While the page is pending, it is polled faster up to this many times: a carrier may take long. */
const pendingEveryMs = 1_000;
const pendingChecks = 60;
/** Gap between two requests after events. It grows while changes follow each other: a large account always has some. */
const gapMinMs = 1_000;
const gapMaxMs = 10_000;

const textOf = (element: Element | null): string => element?.textContent?.replace(/\s+/g, " ").trim() ?? "";

/** Values that a screen reader announces when they change: "Arrives at Hamburg: Sun, 5 Jul". */
const spoken = (root: ParentNode): Map<string, string> =>
  new Map([...byName(root, "data-say")].map(([name, element]) => [name, textOf(element)]));

const liveIn = (page: Document): HTMLElement | null => page.querySelector<HTMLElement>("[data-live]");

/** Returns false when the response is another page. */
function update(live: HTMLElement, page: Document, voice: HTMLElement): boolean {
  const fresh = liveIn(page);
  if (!fresh) return false;
  const before = spoken(live);
  replaceParts(live, fresh);
  replaceHeader(document, page);
  const changes = [...spoken(live)].filter(([name, text]) => before.has(name) && before.get(name) !== text);
  voice.textContent = changes.map(([, text]) => text).join(". ");
  live.dispatchEvent(new Event(pageUpdatedEvent, { bubbles: true }));
  const wasPending = "pending" in live.dataset;
  live.dataset.live = fresh.dataset.live;
  live.toggleAttribute("data-pending", "pending" in fresh.dataset);
  if (wasPending && fresh.dataset.opens) location.assign(fresh.dataset.opens);
  return true;
}

export function startLiveUpdates(page: Document): void {
  if (!liveIn(page)) return;
  const voice = Object.assign(page.createElement("p"), { className: "hidden live-news" });
  voice.setAttribute("role", "status");
  const warning = Object.assign(page.createElement("p"), { className: "notice is-warning offline", hidden: true });
  warning.setAttribute("role", "status");
  page.body.append(voice, warning);

  let failures = 0;
  let checks = 0;
  let checkedAtMs = Number.NEGATIVE_INFINITY;
  let gapMs = gapMinMs;
  let timer: number | undefined;
  let inFlight: AbortController | undefined;
  let hasChanged = false;

  const warn = (text: string): void => {
    warning.textContent = text;
    warning.hidden = text === "";
  };

  const stop = (): void => {
    clearTimeout(timer);
    inFlight?.abort();
    inFlight = undefined;
  };

  const checkIn = (waitMs: number): void => {
    clearTimeout(timer);
    timer = window.setTimeout(check, waitMs);
  };

  /** The first request after a pause is sent at once. */
  const checkAfterEvent = (): void => {
    hasChanged = true;
    if (!inFlight) checkIn(Math.max(0, checkedAtMs + gapMs - performance.now()));
  };

  const isPending = (): boolean => liveIn(page)?.hasAttribute("data-pending") ?? false;

  /** Notes the time of a request, and how long the next one after an event waits. */
  const noteCheck = (): void => {
    const nowMs = performance.now();
    const isRow = nowMs - checkedAtMs < 2 * gapMs && !isPending();
    gapMs = isRow ? Math.min(gapMs * 1.5, gapMaxMs) : gapMinMs;
    checkedAtMs = nowMs;
  };

  const events = createChangeEvents(checkAfterEvent, () => checkIn(waitMs()));

  const receiveEvents = (): void => {
    const address = liveIn(page)?.dataset.events;
    if (address === undefined || page.hidden) events.close();
    else events.open(address);
  };

  const plainWaitMs = (): number => {
    if (failures > 0) return everyMs * 2 ** failures;
    if (events.isReady()) return withEventsEveryMs;
    return isPending() && checks < pendingChecks ? pendingEveryMs : everyMs;
  };

  /** Jitter spreads the requests of pages that were opened together. */
  const waitMs = (): number => Math.min(plainWaitMs(), waitMaxMs) * (0.9 + Math.random() / 5);

  const check = async (): Promise<void> => {
    stop();
    receiveEvents();
    checks += 1;
    // Includes pages that were opened in the background. They poll as soon as they become visible.
    if (page.hidden) return;
    const controller = new AbortController();
    inFlight = controller;
    hasChanged = false;
    noteCheck();
    const live = liveIn(page);
    if (!live) return;
    try {
      const version = live.dataset.live ?? "";
      const fresh = await readPage(location.href, { version, signal: controller.signal, timeoutMs });
      // The response is another page, such as the login: show it.
      if (fresh && !update(live, fresh, voice)) return location.reload();
      failures = 0;
      warn("");
    } catch {
      if (controller.signal.aborted) return;
      failures += 1;
      if (failures >= 2) warn("Connection lost. Data may be out of date; retrying.");
    }
    if (inFlight !== controller) return;
    inFlight = undefined;
    if (hasChanged && failures === 0) checkAfterEvent();
    else checkIn(waitMs());
  };

  page.addEventListener(pageReplacedEvent, () => {
    stop();
    failures = 0;
    warn("");
    voice.textContent = textOf(page.querySelector("main [role=status]"));
    checkIn(waitMs());
  });
  page.addEventListener("visibilitychange", () => void check());
  // A page with an open connection is not kept for the way back.
  window.addEventListener("pagehide", () => events.close());
  window.addEventListener("online", () => void check());
  window.addEventListener("pageshow", (event) => event.persisted && void check());
  receiveEvents();
  checkIn(waitMs());
}
