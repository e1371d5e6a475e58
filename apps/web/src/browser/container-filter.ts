import { foundText, isFound } from "../shipments/container-filter.ts";
import { pageUpdatedEvent } from "./live-events.ts";

/** The URL with the typed filter. */
function withFilter(address: string, input: string): string {
  const url = new URL(address, location.href);
  if (input === "") url.searchParams.delete("filter");
  else url.searchParams.set("filter", input);
  return `${url.pathname}${url.search}`;
}

/** Filters the containers of a shipment while the user types. The URL is updated; the server filters it alike. */
export function filterContainers(page: Document): void {
  const input = page.querySelector<HTMLInputElement>("#find-box");
  const form = input?.form;
  if (!input || !form) return;
  const entries = () => [...page.querySelectorAll<HTMLElement>(".boxes [data-find]")];
  const linkOf = (entry: HTMLElement | undefined) => entry?.querySelector("a");
  const isVisible = ({ hidden }: HTMLElement): boolean => !hidden;

  const apply = (): void => {
    const all = entries();
    for (const entry of all) entry.hidden = !isFound(entry.dataset.find ?? "", input.value);
    const at = all.findIndex((entry) => linkOf(entry)?.getAttribute("aria-current") === "true");
    for (const entry of all) linkOf(entry)?.removeAttribute("data-step");
    linkOf(all.slice(0, at).findLast(isVisible))?.setAttribute("data-step", "previous");
    linkOf(all.slice(at + 1).find(isVisible))?.setAttribute("data-step", "next");

    const own = `${location.pathname}?`;
    const clear = form.querySelector("a");
    for (const link of page.querySelectorAll<HTMLAnchorElement>(`main a[href^="${CSS.escape(own)}"]`)) {
      if (link !== clear) link.setAttribute("href", withFilter(link.href, input.value));
    }
    if (clear) clear.hidden = input.value === "";
    const status = form.querySelector("[role=status]");
    const text = foundText(all.filter(isVisible).length, all.length);
    if (status && status.textContent !== text) status.textContent = text;
    history.replaceState(history.state, "", withFilter(location.href, input.value));
  };

  const toFirst = (event: Event): void => {
    event.preventDefault();
    linkOf(entries().find(isVisible))?.focus();
  };

  input.addEventListener("input", apply);
  input.addEventListener("keydown", (event) => event.key === "ArrowDown" && toFirst(event));
  form.addEventListener("submit", toFirst);
  page.addEventListener(pageUpdatedEvent, apply);
  // Browsers restore the typed text when the user navigates back.
  window.addEventListener("pageshow", () => input.value !== input.defaultValue && apply());
}
