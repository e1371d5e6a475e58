import { handsOn, replaceInHand } from "./keep-focus.ts";
import { pageReplacedEvent, pageUpdatedEvent } from "./live-events.ts";
import { readPage } from "./read-page.ts";
import { replaceHeader } from "./replace-parts.ts";

const timeoutMs = 15_000;
const content = "[data-live]";

const withoutHash = (address: string): string => address.replace(/#.*$/, "");

/** URL that a form with the GET method submits to, without empty fields. */
function formUrl(form: HTMLFormElement): string {
  const fields = [...new FormData(form)].filter(
    (field): field is [string, string] => field[1] !== "" && typeof field[1] === "string",
  );
  const url = new URL(form.action);
  url.search = new URLSearchParams(fields).toString();
  return url.href;
}

/**
 * Loads searches, filters and pages of a list (`data-in-place` on its form) into the open page, which is unchanged
 * until the response arrives. Typing in the search box is not interrupted. A response that is not a list, such as a
 * login or an error, is opened as a page.
 */
export function openInPlace(page: Document): void {
  if (!page.querySelector("form[data-in-place]")) return;
  const { pathname } = location;
  let currentAddress = withoutHash(location.href);
  let inFlight: AbortController | undefined;

  const show = async (address: string, cause: "visit" | "popstate"): Promise<void> => {
    inFlight?.abort();
    const controller = new AbortController();
    inFlight = controller;
    const old = page.querySelector<HTMLElement>(content);
    old?.setAttribute("aria-busy", "true");
    const before = old ? handsOn(old) : undefined;
    try {
      const freshPage = await readPage(address, { signal: controller.signal, timeoutMs });
      const fresh = freshPage?.querySelector<HTMLElement>(content);
      if (!freshPage || !fresh || !old) throw new Error("The response is another page.");
      if (cause === "visit") history.pushState(null, "", address);
      currentAddress = withoutHash(address);
      replaceInHand(old, page.adoptNode(fresh), before);
      page.title = freshPage.title;
      replaceHeader(page, freshPage);
      for (const what of [pageReplacedEvent, pageUpdatedEvent]) fresh.dispatchEvent(new Event(what, { bubbles: true }));
    } catch {
      if (controller.signal.aborted) return;
      if (cause === "visit") location.assign(address);
      else location.reload();
    }
  };

  page.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.matches("[data-in-place]")) return;
    event.preventDefault();
    void show(formUrl(form), "visit");
  });

  page.addEventListener("click", (event) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>(`${content} a[href]`) : null;
    if (link?.pathname !== pathname || link.origin !== location.origin || link.hash !== "") return;
    event.preventDefault();
    void show(link.href, "visit");
    window.scrollTo(0, 0);
  });

  window.addEventListener("popstate", () => {
    if (withoutHash(location.href) !== currentAddress) void show(location.href, "popstate");
  });
}
