import { readPage } from "./read-page.ts";

const timeoutMs = 20_000;

/** The map that the server draws at the address, or its reason for drawing none. */
async function fill(panel: HTMLElement, address: string): Promise<void> {
  try {
    const mapPage = await readPage(address, { signal: new AbortController().signal, timeoutMs });
    const drawn = mapPage?.querySelector("svg.world") ?? mapPage?.querySelector("main .empty h2")?.firstChild;
    if (drawn) panel.replaceChildren(panel.ownerDocument.importNode(drawn, true));
  } catch {
    // The heading leads to the map.
  } finally {
    delete panel.dataset.voyages;
  }
}

/** Fills the panel of the home page once it is in view: thousands of positions are read for it. */
export function showVoyages(page: Document): void {
  const panel = page.querySelector<HTMLElement>("[data-voyages]");
  const { voyages: address = "" } = panel?.dataset ?? {};
  if (panel === null) return;
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    observer.disconnect();
    void fill(panel, address);
  });
  observer.observe(panel);
}
