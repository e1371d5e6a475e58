import {
  clusterMaxZoom,
  clusterRadius,
  colouringShare,
  largerMarks,
  type MarkSize,
  nameOffset,
  nameSize,
  smallestMark,
} from "@svc/views/world-marks";
import type { ExpressionSpecification, FilterSpecification, LayerSpecification, StyleSpecification } from "maplibre-gl";
import { landSource } from "./land-areas.ts";
import type { MapColours } from "./map-colours.ts";

const land = landSource();
const isCluster: FilterSpecification = ["has", "point_count"];
const isPlace: FilterSpecification = ["!", isCluster];
const has = (name: string): ExpressionSpecification => [">", ["get", name], 0];
/** Whether many containers have it. Many set the colour, any set the badge, as on the map that the server draws. */
const hasMany = (name: string): ExpressionSpecification => [
  "all",
  has(name),
  [">=", ["get", name], ["*", ["get", "count"], colouringShare]],
];
const state: ExpressionSpecification = ["case", hasMany("exceptions"), "exception", hasMany("late"), "late", "usual"];
const badge: ExpressionSpecification = ["case", has("exceptions"), "badge-exception", "badge-late"];
const bySize = (select: (size: MarkSize) => number | ExpressionSpecification): ExpressionSpecification => [
  "step",
  ["get", "count"],
  select(smallestMark),
  ...largerMarks.flatMap(([from, size]) => [from, select(size)]),
];
const radius = bySize((size) => size.radius);
const corner = bySize((size) => ["literal", [size.corner, -size.corner]]);
/** Number of containers, with digits in groups. */
const countText: ExpressionSpecification = ["number-format", ["get", "count"], { locale: "en-GB" }];
const fonts = ["system-ui, sans-serif"];

/** Layers of the map, in drawing order. A font of the system is drawn in one weight. */
function layers(colours: MapColours): LayerSpecification[] {
  const stateColour: ExpressionSpecification = [
    "match",
    state,
    "exception",
    colours.bad,
    "late",
    colours.late,
    colours.accent,
  ];
  const overlap = { "icon-allow-overlap": true, "icon-ignore-placement": true } as const;
  return [
    { id: "sea", type: "background", paint: { "background-color": colours.sea } },
    { id: "land", type: "fill", source: "land", paint: { "fill-color": colours.land, "fill-antialias": true } },
    { id: "coast", type: "line", source: "land", paint: { "line-color": colours.coast, "line-width": 0.7 } },
    {
      id: "selected",
      type: "circle",
      source: "places",
      filter: ["==", ["get", "id"], ""],
      paint: {
        "circle-radius": 17,
        "circle-color": colours.accent,
        "circle-opacity": 0.18,
        "circle-stroke-width": 2,
        "circle-stroke-color": colours.accent,
      },
    },
    {
      id: "places",
      type: "symbol",
      source: "places",
      filter: isPlace,
      layout: {
        ...overlap,
        "icon-image": ["concat", ["get", "kind"], "-", state],
        "icon-rotate": ["get", "heading"],
        "icon-rotation-alignment": "map",
        "text-field": ["concat", ["get", "name"], " · ", countText],
        "text-font": fonts,
        "text-size": nameSize,
        "text-optional": true,
        "text-max-width": 40,
        "text-anchor": "top",
        "text-offset": [0, nameOffset],
      },
      paint: { "text-color": colours.text, "text-halo-color": colours.sea, "text-halo-width": 1.2 },
    },
    {
      id: "clusters",
      type: "circle",
      source: "places",
      filter: isCluster,
      paint: {
        "circle-color": stateColour,
        "circle-radius": radius,
        "circle-stroke-width": 2,
        "circle-stroke-color": colours.card,
      },
    },
    {
      id: "counts",
      type: "symbol",
      source: "places",
      filter: isCluster,
      layout: {
        "text-field": countText,
        "text-font": fonts,
        "text-size": 12,
        "text-allow-overlap": true,
        "text-ignore-placement": true,
      },
      paint: { "text-color": colours["on-accent"] },
    },
    {
      id: "badges",
      type: "symbol",
      source: "places",
      filter: ["any", has("exceptions"), has("late")],
      layout: { ...overlap, "icon-image": badge, "icon-offset": corner },
    },
  ];
}

export type DrawnPlaces = {
  readonly type: "FeatureCollection";
  readonly features: {
    readonly type: "Feature";
    readonly geometry: { readonly type: "Point"; readonly coordinates: [number, number] };
    readonly properties: { readonly id: string; readonly name: string; readonly count: number };
  }[];
};

/** The style of the map. Text has no glyph files: it is drawn in fonts of the system. */
export function mapStyle(colours: MapColours, places: DrawnPlaces): StyleSpecification {
  const total = (name: string): [ExpressionSpecification | string, ExpressionSpecification] => ["+", ["get", name]];
  return {
    version: 8,
    sources: {
      land,
      places: {
        type: "geojson",
        data: places,
        cluster: true,
        clusterRadius,
        clusterMaxZoom,
        clusterProperties: { count: total("count"), late: total("late"), exceptions: total("exceptions") },
      },
    },
    layers: layers(colours),
  };
}
