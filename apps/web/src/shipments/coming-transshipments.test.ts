import { expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import type { RouteMapResult } from "@svc/views/route-map";
import type { TimelineStep } from "@svc/views/timeline";
import { withComingTransshipments } from "./coming-transshipments.ts";

const [arrival, departure] = ["2026-12-09T11:45:00.000Z", "2026-12-10T06:12:00.000Z"];

const step = (event: string, dataSource: TimelineStep["dataSource"]): TimelineStep => ({
  event,
  place: "Rotterdam",
  terminal: null,
  voyage: null,
  timeZone: null,
  precision: "exact",
  actualAt: null,
  estimatedAt: null,
  plannedAt: null,
  dataSource,
});
const steps = [step("vessel_departed", "shipping_line"), step("vessel_arrived", null)];

const port = (label: string, times: { readonly inbound_ata_at?: string; readonly outbound_atd_at?: string } = {}) => ({
  type: "Feature",
  geometry: { type: "Point", coordinates: [103.8, 1.3] },
  properties: {
    feature_type: "port",
    label,
    name: "Singapore",
    time_zone: "Asia/Singapore",
    inbound_ata_at: null,
    inbound_eta_at: arrival,
    outbound_etd_at: departure,
    outbound_atd_at: null,
    ...times,
  },
});
const routeOf = (...features: readonly object[]) =>
  ({ type: "FeatureCollection", features }) as unknown as RouteMapResult;
const summaries = (list: readonly TimelineStep[]) =>
  list.map(({ event, place, estimatedAt }) => [event, place, estimatedAt ?? null]);

test("the planned calls at a transshipment port come before the arrival", () => {
  const route = routeOf(port("POL"), port("TS1"), port("POD"));
  expect(summaries(withComingTransshipments(steps, route))).toEqual([
    ["vessel_departed", "Rotterdam", null],
    ["transshipment_arrived", "Singapore", instant(arrival ?? "")],
    ["transshipment_departed", "Singapore", instant(departure ?? "")],
    ["vessel_arrived", "Rotterdam", null],
  ]);
});

test("does not add a reported transshipment, one after the arrival, or any without a route", () => {
  const route = routeOf(port("TS1", { inbound_ata_at: arrival ?? "" }));
  expect(withComingTransshipments(steps, route).map(({ event }) => event)).toEqual([
    "vessel_departed",
    "transshipment_departed",
    "vessel_arrived",
  ]);
  const skipped = routeOf(port("TS1"), port("TS2", { outbound_atd_at: departure ?? "" }));
  expect(withComingTransshipments(steps, skipped)).toEqual(steps);
  const arrived = [step("vessel_arrived", "shipping_line")];
  expect(withComingTransshipments(arrived, route)).toEqual(arrived);
  expect(withComingTransshipments(steps, "not_enabled")).toEqual(steps);
});
