import type { Map as GlMap } from "maplibre-gl";

const signs = { in: "M8 3v10M3 8h10", out: "M3 8h10", all: "M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4" } as const;
const svg = "http://www.w3.org/2000/svg";

function button(words: string, sign: string, act: () => void): HTMLButtonElement {
  const made = document.createElement("button");
  made.type = "button";
  made.title = words;
  made.setAttribute("aria-label", words);
  const icon = document.createElementNS(svg, "svg");
  icon.setAttribute("viewBox", "0 0 16 16");
  icon.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(svg, "path");
  path.setAttribute("d", sign);
  icon.append(path);
  made.append(icon);
  made.addEventListener("click", act);
  return made;
}

/** The buttons of the map, and a label beside the pointer with the name and the number of what is below it. */
export function mapControls(map: GlMap, fit: () => void) {
  const buttons = Object.assign(document.createElement("div"), { className: "map-buttons" });
  buttons.append(
    button("Zoom in", signs.in, () => map.zoomIn()),
    button("Zoom out", signs.out, () => map.zoomOut()),
    button("Show all", signs.all, fit),
  );
  const tip = Object.assign(document.createElement("div"), { className: "map-tip", hidden: true });
  const showNames = (layers: readonly string[]): void => {
    map.on("mousemove", [...layers], ({ features, point }) => {
      const { name, count } = features?.[0]?.properties ?? {};
      const containers = `${count} ${count === 1 ? "container" : "containers"}`;
      tip.textContent = name === undefined ? containers : `${name} · ${containers}`;
      tip.style.transform = `translate(${Math.round(point.x) + 14}px, ${Math.round(point.y) + 14}px)`;
      tip.hidden = false;
      map.getCanvas().style.cursor = "pointer";
    });
    map.on("mouseleave", [...layers], () => {
      tip.hidden = true;
      map.getCanvas().style.cursor = "";
    });
  };
  return { elements: [buttons, tip], showNames };
}
