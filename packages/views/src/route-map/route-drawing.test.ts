import { describe, expect, test } from "@jest/globals";
import type { RouteMapDocument } from "@svc/jsonapi/containers";
import { landPath } from "./land-path.ts";
import { fitView, mapSize, project } from "./map-view.ts";
import { drawRoute } from "./route-drawing.ts";
import { routeDiagram } from "./route-figure.ts";

type Port = readonly [locode: string, longitude: number, latitude: number];

const yokohama: Port = ["JPYOK", 139.7, 35.4];
const losAngeles: Port = ["USLAX", -118.3, 33.7];
const crossing = [
  [
    [139.7, 35.4],
    [180, 45],
  ],
  [
    [-180, 45],
    [-118.3, 33.7],
  ],
];

const port = ([locode, longitude, latitude]: Port, sequence: number, times: object = {}) => ({
  type: "Feature",
  geometry: { type: "Point", coordinates: [longitude, latitude] },
  properties: {
    feature_type: "port",
    ports_sequence: sequence,
    location_id: locode,
    name: locode,
    country: "Somewhere",
    time_zone: "Asia/Tokyo",
    label: sequence === 1 ? "POL" : "POD",
    inbound_eta_at: null,
    inbound_ata_at: null,
    outbound_etd_at: null,
    outbound_atd_at: null,
    ...times,
  },
});

const leg = (type: string, coordinates: readonly unknown[], properties: object = {}) => ({
  type: "Feature",
  geometry: { type: "MultiLineString", coordinates },
  properties: {
    feature_type: type,
    ports_sequence: 1,
    previous_port_id: "JPYOK",
    next_port_id: "USLAX",
    ...properties,
  },
});

const vesselAt = (longitude: number, latitude: number) => ({
  type: "Feature",
  geometry: { type: "Point", coordinates: [longitude, latitude] },
  properties: {
    feature_type: "current_vessel",
    vessel_name: "<b>EVER</b>",
    voyage_number: "012W",
    departure_port_id: "JPYOK",
    departure_port_name: "Yokohama",
    arrival_port_id: "USLAX",
    arrival_port_name: "Los Angeles",
    arrival_port_eta: "2026-07-01T10:00:00.000Z",
    arrival_port_time_zone: "America/Los_Angeles",
  },
});

const documentOf = (features: readonly object[]) =>
  ({ type: "FeatureCollection", features }) as unknown as RouteMapDocument;

const xs = (path: string): number[] => [...path.matchAll(/[ML](-?\d+) /g)].map(([, x]) => Number(x));

describe("a route's map", () => {
  test("a way over the Pacific is drawn as one line the short way, not across the whole map", () => {
    const route = documentOf([port(yokohama, 1), port(losAngeles, 2), leg("estimated_full_legs", crossing)]);
    const drawn = drawRoute(route);
    const line = xs(drawn?.ahead ?? "");
    expect(line).toEqual(line.toSorted((a, b) => a - b));
    expect(line).toHaveLength(3);
    expect(Math.min(...line)).toBeGreaterThan(0);
    expect(Math.max(...line)).toBeLessThan(mapSize.width);
    expect(drawn?.ports.map(({ at }) => Math.round(at[0]))).toEqual([line[0], line.at(-1)]);
  });

  test("the leg under way is sailed behind the vessel and ahead of it is not, and the vessel heads for its port", () => {
    const ahead = [
      [
        [-170, 43],
        [-118.3, 33.7],
      ],
    ];
    const drawn = drawRoute(
      documentOf([
        port(yokohama, 1, { outbound_atd_at: "2026-06-20T10:00:00.000Z" }),
        port(losAngeles, 2),
        leg("estimated_full_legs", crossing),
        leg("estimated_partial_leg", ahead, { current_port_id: "JPYOK" }),
        vesselAt(-170, 43),
      ]),
    );
    const [sailed, coming] = [xs(drawn?.sailed ?? ""), xs(drawn?.ahead ?? "")];
    expect(sailed.at(-1)).toBe(coming[0]);
    expect(sailed[0]).toBeLessThan(coming[0] ?? 0);
    expect(coming.at(-1)).toBeGreaterThan(coming[0] ?? 0);
    expect(drawn?.vessel?.headingDegrees).toBeGreaterThan(90);
    expect(drawn?.vessel?.headingDegrees).toBeLessThan(135);
    expect(drawn?.ports.map(({ isReached }) => isReached)).toEqual([true, false]);
  });

  test("an inland destination is joined to the port of discharge", () => {
    const duisburg = port(["DEDUI", 6.8, 51.4], 2, { label: "DST" });
    const drawn = drawRoute(documentOf([port(["NLRTM", 4.1, 51.9], 1, { label: "POD" }), duisburg]));
    const line = xs(drawn?.inland ?? "");
    expect(line).toEqual(drawn?.ports.map(({ at }) => Math.round(at[0])));
    expect(drawRoute(documentOf([port(yokohama, 1), port(losAngeles, 2)]))?.inland).toBe("");
  });

  test("shows where a reported position is from and how old it is", () => {
    const vessel = vesselAt(-170, 43);
    const reported = (ageSeconds: number) => ({
      ...vessel,
      properties: {
        ...vessel.properties,
        position_source: "ais",
        vessel_location_timestamp: "2026-06-25T10:00:00.000Z",
        vessel_location_age_seconds: ageSeconds,
        vessel_location_heading: 77,
        vessel_location_speed: 17.25,
      },
    });
    const route = (feature: object) =>
      documentOf([port(yokohama, 1), port(losAngeles, 2), leg("estimated_full_legs", crossing), feature]);
    const text = (feature: object) => String(routeDiagram(route(feature))).replace(/\s+/g, " ");
    expect(drawRoute(route(reported(0)))?.vessel?.headingDegrees).toBe(77);
    expect(text(reported(7_500))).toContain(
      "Position reported by AIS at 25 Jun 2026, 10:00 UTC, 2 hours old, 17.3 knots",
    );
    expect(text(reported(60))).toContain("its position is reported by AIS, 1 minute old");
    expect(text(reported(3))).toContain("less than a minute old");
    expect(text(reported(60))).not.toContain("vessel (estimated)");
    expect(text(vessel)).toContain("vessel (estimated)");
  });

  test("every view lies within the map's projection, whatever its ports are", () => {
    for (const positions of [
      [[0, 0]],
      [
        [-179, 70],
        [179, -50],
      ],
      [
        [0, 89],
        [120, -89],
        [-120, 0],
      ],
    ] as const) {
      const view = fitView(positions);
      for (const position of positions) {
        const [x] = project(view, position);
        expect(x).toBeGreaterThanOrEqual(0);
        expect(x).toBeLessThanOrEqual(mapSize.width);
      }
      expect(landPath(view)).not.toMatch(/NaN|Infinity/);
    }
  });

  test("the land of a large map is short enough to be part of a page", () => {
    const view = fitView([
      [-118, 33],
      [104, 1],
      [8, 53],
    ]);
    expect(landPath(view).length).toBeLessThan(40_000);
    expect(landPath(view)).toMatch(/^M-?\d+ -?\d+l/);
  });

  test("describes the picture by a sentence and a table, and escapes texts", () => {
    const diagram = String(
      routeDiagram(
        documentOf([
          port(yokohama, 1, { outbound_atd_at: "2026-06-20T10:00:00.000Z" }),
          port(["US<i>", -118.3, 33.7], 2, { inbound_eta_at: "2026-07-01T10:00:00.000Z" }),
          leg("estimated_full_legs", crossing),
          vesselAt(-170, 43),
        ]),
      ),
    );
    expect(diagram).toContain('role="img" aria-label="Route JPYOK, Somewhere to US&lt;i&gt;, Somewhere. &lt;b&gt;EVER');
    expect(diagram.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ")).toContain(
      "US&lt;i&gt;, Somewhere ETA Wed, 1 Jul 2026, 19:00 GMT+9",
    );
    expect(diagram).not.toMatch(/style=|<i>|<b>/);
  });

  test("explains a missing picture", () => {
    expect(String(routeDiagram(documentOf([])))).toContain("No port of call is known at the moment.");
    expect(String(routeDiagram("not_enabled"))).toContain("a paid feature");
    expect(String(routeDiagram("not_available"))).toContain("not available at the moment");
  });
});
