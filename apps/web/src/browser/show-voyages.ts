import { readPage } from "./read-page.ts";

const timeoutMs = 20_000;

/** Fills the panel of the home page with the map that the server draws, or with its reason for drawing none. */
export function showVoyages(page: Document): void {
  const panel = page.querySelector<HTMLElement>("[data-voyages]");
  const { voyages: address = "" } = panel?.dataset ?? {};
  if (panel === null) return;
  readPage(address, { signal: new AbortController().signal, timeoutMs })
    .then((shown) => {
      const drawn = shown?.querySelector("svg.world") ?? shown?.querySelector("main .empty h2")?.firstChild;
      if (drawn) panel.replaceChildren(page.importNode(drawn, true));
    })
    .catch(() => undefined)
    .finally(() => delete panel.dataset.voyages);
}
