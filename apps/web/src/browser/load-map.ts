/** Whether the browser can draw with WebGL. Without it, the map that the server drew stays. */
function canDraw(page: Document): boolean {
  try {
    return page.createElement("canvas").getContext("webgl2") !== null;
  } catch {
    return false;
  }
}

/** Loads the script of the map on its page: it is larger than everything else together. */
export function loadMap(page: Document): void {
  const script = page.querySelector<HTMLElement>("[data-map]")?.dataset.map;
  if (script === undefined) return;
  if (canDraw(page)) import(script).catch(() => undefined);
  else page.documentElement.classList.add("without-webgl");
}
