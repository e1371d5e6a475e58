/**
 * Keeps a page up to date: asks for it again, and puts what changed in its place. Each answer is the whole state, so nothing
 * is lost while the connection is away or the page is hidden; then nothing is asked either.
 */
import { markupWithoutAges, takeAges } from "./ages.ts";
import { updated } from "./updated.ts";

const everyMs = 15_000;
const longestWaitMs = 120_000;

/** The page as it is now; null when it has not changed. Markup is parsed by the browser itself and runs no script. */
function ask(version: string, signal: AbortSignal): Promise<Document | null> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("GET", location.href);
    request.responseType = "document";
    request.setRequestHeader("Accept", "text/html");
    request.setRequestHeader("If-None-Match", `"${version}"`);
    request.timeout = everyMs;
    request.onload = () => {
      if (request.status === 304) resolve(null);
      else if (request.status === 200 && request.response instanceof Document) resolve(request.response);
      else reject(new Error(`The page answers ${request.status}.`));
    };
    request.onerror = request.ontimeout = request.onabort = () => reject(new Error("The page does not answer."));
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send();
  });
}

const byName = (root: ParentNode, attribute: string): Map<string, HTMLElement> =>
  new Map(
    [...root.querySelectorAll<HTMLElement>(`[${attribute}]`)].map((one) => [one.getAttribute(attribute) ?? "", one]),
  );

/** What the reader has opened, or has the focus on, stays so. */
function replaceWith(fresh: HTMLElement, old: HTMLElement): void {
  for (const opened of old.querySelectorAll<HTMLDetailsElement>("details[id][open]")) {
    const again = fresh.querySelector<HTMLDetailsElement>(`details[id="${CSS.escape(opened.id)}"]`);
    if (again) again.open = true;
  }
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  const href = focused?.getAttribute("href");
  const scrolled = [...old.querySelectorAll(".many")].map((list) => list.scrollTop);
  old.replaceWith(fresh);
  for (const [index, list] of [...fresh.querySelectorAll(".many")].entries()) list.scrollTop = scrolled[index] ?? 0;
  if (href) fresh.querySelector<HTMLElement>(`a[href="${CSS.escape(href)}"]`)?.focus({ preventScroll: true });
}

/** Facts that are worth saying aloud when they change: "Arrives at Hamburg: Sun, 5 Jul". */
const spoken = (root: ParentNode): Map<string, string> =>
  new Map(
    [...byName(root, "data-say")].map(([name, element]) => [
      name,
      element.textContent?.replace(/\s+/g, " ").trim() ?? "",
    ]),
  );

/** Answers the version that the page now shows. */
function update(live: HTMLElement, page: Document, voice: HTMLElement): string | null {
  const fresh = page.querySelector<HTMLElement>("[data-live]");
  if (!fresh) return null;
  const before = spoken(live);
  const parts = byName(live, "data-part");
  for (const [name, part] of byName(fresh, "data-part")) {
    const old = parts.get(name);
    if (!old) continue;
    if (markupWithoutAges(old) === markupWithoutAges(part)) {
      takeAges(old, part);
      continue;
    }
    const adopted = document.adoptNode(part);
    adopted.classList.add("changed");
    replaceWith(adopted, old);
  }
  const news = [...spoken(live)].filter(([name, words]) => before.has(name) && before.get(name) !== words);
  voice.textContent = news.map(([, words]) => words).join(". ");
  live.dispatchEvent(new Event(updated, { bubbles: true }));
  return fresh.dataset.live ?? null;
}

export function keepUpToDate(page: Document): void {
  const live = page.querySelector<HTMLElement>("[data-live]");
  if (!live) return;
  const voice = Object.assign(page.createElement("p"), { className: "hidden live-news" });
  voice.setAttribute("role", "status");
  const warning = Object.assign(page.createElement("p"), { className: "notice offline", hidden: true });
  warning.setAttribute("role", "status");
  page.body.append(voice, warning);

  let version = live.dataset.live ?? "";
  let failures = 0;
  let timer: number | undefined;
  let asking: AbortController | undefined;

  const warn = (words: string): void => {
    warning.textContent = words;
    warning.hidden = words === "";
  };

  const stop = (): void => {
    clearTimeout(timer);
    asking?.abort();
    asking = undefined;
  };

  const look = async (): Promise<void> => {
    stop();
    const mine = new AbortController();
    asking = mine;
    try {
      const fresh = await ask(version, mine.signal);
      const shown = fresh && update(live, fresh, voice);
      // Another page in this place, such as the login: the reader is to see it.
      if (fresh && shown === null) return location.reload();
      version = shown ?? version;
      failures = 0;
      warn("");
    } catch {
      if (mine.signal.aborted) return;
      failures += 1;
      if (failures >= 2) warn("The connection is lost. What you see may be old; it is tried again.");
    }
    if (asking !== mine) return;
    asking = undefined;
    // Pages that were opened together do not ask together for ever.
    const wait = Math.min(everyMs * 2 ** failures, longestWaitMs) * (0.9 + Math.random() / 5);
    timer = window.setTimeout(look, wait);
  };

  page.addEventListener("visibilitychange", () => (page.hidden ? stop() : void look()));
  window.addEventListener("online", () => void look());
  window.addEventListener("pageshow", (event) => event.persisted && void look());
  timer = window.setTimeout(look, everyMs);
}
