import {
  type GeoJSONSource,
  Map as GlMap,
  type MapGeoJSONFeature,
  type StyleSpecification,
  setWorkerUrl,
} from "maplibre-gl";
import { pageUpdatedEvent } from "../live-events.ts";
import { readColours } from "./map-colours.ts";
import { mapControls, takeButtons } from "./map-controls.ts";
import { type DrawnPlaces, mapStyle } from "./map-style.ts";
import { markImages, pixelRatio } from "./mark-images.ts";
import { constrainView, maxZoom, showView } from "./show-view.ts";

declare global {
  interface Window {
    readonly trustedTypes?: {
      createPolicy(name: "default", rules: { createScriptURL: (address: string) => string | null }): unknown;
    };
  }
}

const holderIn = (page: Document): HTMLElement | null => page.querySelector<HTMLElement>("[data-map]");

async function readPlaces(address: string): Promise<DrawnPlaces> {
  const response = await fetch(address, { headers: { accept: "application/json" } });
  if (!response.ok) throw new Error(`The places were answered with ${response.status}.`);
  return response.json();
}

/** The library starts its worker by address: the default policy lets this one address pass, and nothing else. */
function allowWorker(address: string): void {
  const isWorker = (url: string) => new URL(url, location.href).pathname === address;
  window.trustedTypes?.createPolicy("default", { createScriptURL: (url) => (isWorker(url) ? url : null) });
  setWorkerUrl(address);
}

/** Opens the page with the place selected; the script of all pages does so in place. */
function open(page: Document, id: string): void {
  const address = new URL(location.href);
  address.searchParams.set("at", id);
  address.hash = "";
  const link = Object.assign(page.createElement("a"), { href: address.href, hidden: true });
  page.querySelector("[data-live]")?.append(link);
  link.click();
  link.remove();
}

function createMap(container: HTMLElement, style: StyleSpecification, label: string): GlMap {
  const map = new GlMap({
    container,
    style,
    trackResize: false,
    attributionControl: false,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    transformConstrain: constrainView,
    ...(matchMedia("(prefers-reduced-motion: reduce)").matches && { fadeDuration: 0 }),
  });
  // The library would ignore the first change of the size, which may be that from none.
  new ResizeObserver(() => map.resize()).observe(container);
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  map.getCanvas().setAttribute("aria-label", `${label} Arrow keys move it, plus and minus zoom.`);
  return map;
}

/** Draws the images of the marks in the colours of the page. */
function addImages(map: GlMap, root: HTMLElement): void {
  for (const [name, image] of Object.entries(markImages(readColours(root)))) {
    if (map.hasImage(name)) map.updateImage(name, image);
    else map.addImage(name, image, { pixelRatio });
  }
}

async function zoomInto(map: GlMap, { properties, geometry }: MapGeoJSONFeature): Promise<void> {
  const source = map.getSource<GeoJSONSource>("places");
  if (source === undefined || geometry.type !== "Point") return;
  const zoom = await source.getClusterExpansionZoom(Number(properties.cluster_id));
  const [longitude = 0, latitude = 0] = geometry.coordinates;
  map.easeTo({ center: [longitude, latitude], zoom: Math.min(zoom, maxZoom) });
}

/**
 * Draws the map over the one that the server drew, once it can be shown. The element with the canvas moves into each
 * new version of the page.
 */
async function startMap(page: Document): Promise<void> {
  const first = holderIn(page);
  if (first === null) return;
  const { worker = "", places: address = "", label = "" } = first.dataset;
  allowWorker(worker);
  let places = await readPlaces(address);
  // Another version of the page may have arrived meanwhile.
  let holder = holderIn(page);
  if (holder === null) return;
  let current = { address, at: holder.dataset.at ?? "" };
  const root = Object.assign(page.createElement("div"), { className: "map-root" });
  const canvas = Object.assign(page.createElement("div"), { className: "map-canvas" });
  root.append(canvas);
  holder.append(root);

  const map = createMap(canvas, mapStyle(readColours(holder), places), label);
  /** Selection that the map shows until the reader moves it, also when its size changes: a place, or all with "". */
  let fitted: string | null = null;
  map.on("movestart", () => {
    fitted = null;
  });
  const fit = (at: string, animate: boolean) => {
    showView(map, places, at, animate);
    fitted = at;
  };
  map.on("resize", () => fitted !== null && fit(fitted, false));
  const controls = mapControls(map, takeButtons(holder), () => fit("", true));
  root.append(...controls.elements);

  /** Once the style has loaded; while it loads, `idle` follows. */
  const mark = () => {
    if (map.getLayer("selected")) map.setFilter("selected", ["==", ["get", "id"], current.at]);
  };

  const refresh = async (): Promise<boolean> => {
    const { address } = current;
    const fresh = await readPlaces(address).catch(() => null);
    if (fresh === null || address !== current.address) return false;
    places = fresh;
    await map.getSource<GeoJSONSource>("places")?.setData(places);
    return true;
  };
  /** Moves into the new version of the page, and shows what it selects and filters. */
  const enter = async (): Promise<void> => {
    const next = holderIn(page);
    if (next === null) return;
    if (next !== holder) {
      holder = next;
      takeButtons(holder).remove();
      holder.append(root);
      holder.classList.add("is-drawn");
      map.resize();
    }
    const before = current;
    current = { address: next.dataset.places ?? "", at: next.dataset.at ?? "" };
    mark();
    const isOther = current.address !== before.address;
    if (!isOther && current.at !== before.at) showSelected();
    if (!(await refresh()) || !isOther) return;
    // A search that found one place has selected it.
    if (!showSelected()) fit("", true);
  };
  /** Returns false if nothing of the map is selected. */
  const showSelected = (): boolean => {
    const center = places.features.find(({ properties }) => properties.id === current.at)?.geometry.coordinates;
    if (center) map.easeTo({ center, zoom: Math.max(map.getZoom(), 4) });
    return center !== undefined;
  };

  map.on("click", "clusters", ({ features }) => features?.[0] && void zoomInto(map, features[0]));
  map.on("click", "places", ({ features }) => features?.[0] && open(page, String(features[0].properties.id)));
  controls.showNames(["clusters", "places"]);

  map.on("styledata", () => addImages(map, root));
  map.once("idle", () => {
    holder?.classList.add("is-drawn");
    mark();
  });
  fit(current.at, false);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    map.setStyle(mapStyle(readColours(root), places));
    map.once("idle", mark);
  });
  page.addEventListener(pageUpdatedEvent, () => void enter());
}

void startMap(document);
