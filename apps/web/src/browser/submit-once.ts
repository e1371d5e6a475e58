import { sentForm } from "./replace-parts.ts";

/** Longer than the API takes. After it, a form can be submitted again whose response was stopped or is a download. */
const inProgressMs = 20_000;

/** Whether the response replaces the page: not that of a search, and not one in another tab. */
function leavesPage(form: HTMLFormElement, submitter: HTMLElement | null): boolean {
  const attribute = (name: string) => submitter?.getAttribute(`form${name}`) ?? form.getAttribute(name) ?? "";
  return attribute("method").toLowerCase() === "post" && attribute("target") === "";
}

/**
 * Prevents a second submit of a form while the first request is in progress: a double click would abort the first and
 * show the response to the second. Buttons stay enabled, because the name and value of the submitter are sent.
 */
export function submitOnce(page: Document): void {
  let sent: { readonly form: HTMLFormElement; readonly at: number } | null = null;

  const preventSecond = (event: SubmitEvent): void => {
    const { target: form, timeStamp } = event;
    if (!(form instanceof HTMLFormElement)) return;
    const isInProgress = sent?.form === form && timeStamp - sent.at < inProgressMs;
    if (!isInProgress && !form.hasAttribute(sentForm)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };

  // After the other parts, which answer some forms in place.
  const remember = (event: SubmitEvent): void => {
    const { target: form, timeStamp: at, submitter } = event;
    if (event.defaultPrevented || !(form instanceof HTMLFormElement)) return;
    if (leavesPage(form, submitter)) sent = { form, at };
  };

  page.addEventListener("submit", preventSecond, { capture: true });
  window.addEventListener("submit", remember);
  // The page is shown again, perhaps from the back/forward cache.
  window.addEventListener("pageshow", () => {
    sent = null;
  });
}
