import { pageReplacedEvent, pageUpdatedEvent } from "./live-events.ts";
import { replaceHeader, replaceParts, sentForm } from "./replace-parts.ts";

const timeoutMs = 30_000;
const content = "[data-live]";

/** Submits the form and follows its redirect; the browser parses the response without running its scripts. */
function post(form: HTMLFormElement, submitter: HTMLElement | null): Promise<XMLHttpRequest> {
  return new Promise((resolve, reject) => {
    const fields = [...new FormData(form, submitter)].filter(
      (field): field is [string, string] => typeof field[1] === "string",
    );
    const request = new XMLHttpRequest();
    // The property `action` is the field of that name, where the form has one.
    request.open("POST", form.getAttribute("action") ?? "");
    request.responseType = "document";
    request.setRequestHeader("Accept", "text/html");
    request.timeout = timeoutMs;
    request.onload = () => resolve(request);
    request.onerror = request.ontimeout = () => reject(new Error("The page did not respond."));
    request.send(new URLSearchParams(fields));
  });
}

/**
 * Submits the forms of a list (`data-keep-place`) without leaving it: the parts of the page that changed are replaced,
 * and it stays where it is scrolled to. A response that is another page, such as a refusal, is shown instead.
 */
export function actInPlace(page: Document): void {
  page.addEventListener("submit", (event) => {
    const form = event.target;
    const live = page.querySelector<HTMLElement>(content);
    if (!(form instanceof HTMLFormElement) || !form.matches("[data-keep-place]") || !live) return;
    event.preventDefault();
    void submit(form, event.submitter, live);
  });

  const submit = async (form: HTMLFormElement, submitter: HTMLElement | null, live: HTMLElement): Promise<void> => {
    live.setAttribute("aria-busy", "true");
    // An event of the change may renew the form before the response does.
    form.setAttribute(sentForm, "");
    try {
      const { response, responseURL } = await post(form, submitter);
      if (!(response instanceof Document)) throw new Error("The response is no page.");
      const fresh = response.querySelector<HTMLElement>(content);
      if (fresh && new URL(responseURL).pathname === location.pathname) {
        replaceHeader(page, response);
        form.reset();
        form.removeAttribute(sentForm);
        show(live, fresh, responseURL);
      } else showOther(response);
    } catch {
      location.reload();
    } finally {
      live.removeAttribute("aria-busy");
    }
  };

  const show = (live: HTMLElement, fresh: HTMLElement, address: string): void => {
    for (const checkbox of live.querySelectorAll<HTMLInputElement>(".pick:checked")) checkbox.checked = false;
    replaceParts(live, fresh);
    live.dataset.live = fresh.dataset.live;
    history.replaceState(null, "", address);
    for (const what of [pageReplacedEvent, pageUpdatedEvent]) live.dispatchEvent(new Event(what, { bubbles: true }));
  };

  /** The address stays that of the list, which a reload shows. */
  const showOther = (response: Document): void => {
    const main = response.querySelector("main");
    if (!main) throw new Error("The response is no page of the application.");
    page.querySelector("main")?.replaceWith(page.adoptNode(main));
    page.title = response.title;
    window.scrollTo(0, 0);
  };
}
