import { countText } from "@svc/domain";
import type { Map as GlMap } from "maplibre-gl";

/** The buttons that the server drew in the element of the map, where they stay. */
export const takeButtons = (holder: ParentNode): HTMLElement =>
  holder.querySelector<HTMLElement>(".map-buttons") ?? document.createElement("div");

/** Enables the buttons of the map, and labels what is below the pointer with its name and number of containers. */
export function mapControls(map: GlMap, buttons: HTMLElement, fit: () => void) {
  const acts: Readonly<Record<string, () => void>> = { in: () => map.zoomIn(), out: () => map.zoomOut(), all: fit };
  for (const button of buttons.querySelectorAll("button")) {
    const act = acts[button.dataset.mapButton ?? ""];
    if (act) button.addEventListener("click", act);
    button.disabled = false;
  }
  const tip = Object.assign(document.createElement("div"), { className: "map-tip", hidden: true });
  const hideTip = (): void => {
    tip.hidden = true;
    map.getCanvas().style.cursor = "";
  };
  const showNames = (layers: readonly string[]): void => {
    map.on("mousemove", [...layers], ({ features, point }) => {
      const { name, count } = features?.[0]?.properties ?? {};
      const containers = countText(count, "container");
      tip.textContent = name === undefined ? containers : `${name} · ${containers}`;
      // The tip is on the side of the pointer that has more room.
      const isRight = point.x > map.getContainer().clientWidth / 2;
      const left = isRight ? `calc(${Math.round(point.x) - 14}px - 100%)` : `${Math.round(point.x) + 14}px`;
      tip.style.transform = `translate(${left}, ${Math.round(point.y) + 14}px)`;
      tip.hidden = false;
      map.getCanvas().style.cursor = "pointer";
    });
    map.on("mouseleave", [...layers], hideTip);
    // A moved map has another place below the pointer.
    map.on("movestart", hideTip);
    map.on("resize", hideTip);
  };
  return { elements: [buttons, tip], showNames };
}
