import { expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import type { Shipment } from "@svc/domain/shipments";
import { inReaderZone } from "../times/reader-zone.ts";
import type { ChangeRecord } from "./api-records.ts";
import { etaHistory, lastEtaCause } from "./eta-history.ts";

const change = (
  validFrom: string,
  value: unknown,
  field = "podEtaAt",
  cause: ChangeRecord["cause"] = null,
): ChangeRecord => ({
  field,
  value,
  previousValue: null,
  rule: "latest_estimate",
  dataSource: "shipping_line",
  validFrom: instant(validFrom),
  cause,
});

const now = instant("2026-06-20T00:00:00Z");
const shipment = {
  podAtaAt: null,
  podOriginalEtaAt: null,
  portOfDischarge: { timeZone: "Europe/Berlin" },
  destination: null,
} as unknown as Shipment;
const textOf = (markup: unknown): string =>
  String(markup)
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");

test("the chart is a line of steps, a sentence and a table, in the zone of the port", () => {
  const history = [
    change("2026-06-10T00:00:00Z", "2026-07-05T10:00:00.000Z"),
    change("2026-06-05T00:00:00Z", "2026-07-01T09:00:00.000Z"),
    change("2026-06-05T00:00:00Z", "2026-07-01T09:00:00.000Z", "podOriginalEtaAt"),
    change("2026-06-01T00:00:00Z", "2026-07-02T10:00:00.000Z"),
  ];
  const markup = String(etaHistory(history, shipment, { now }));
  expect(markup).toContain(
    "The ETA changed 2 times: first Thu, 2 Jul 2026, 12:00 CEST, now Sun, 5 Jul 2026, 12:00 CEST.",
  );
  expect(markup.match(/<circle/g)).toHaveLength(3);
  expect(textOf(markup)).toContain("Wed, 1 Jul 2026, 11:00 CEST 1 day earlier");
  expect(textOf(markup)).toContain("Sun, 5 Jul 2026, 12:00 CEST 4 days later");
  expect(markup).not.toContain("NaN");
});

test("the line goes on to the present at the last estimate, and the levels are whole days", () => {
  const history = [
    change("2026-11-12T00:00:00Z", "2026-12-21T11:00:00.000Z"),
    change("2026-11-02T00:00:00Z", "2026-12-14T09:00:00.000Z"),
  ];
  const chartAt = (time: string) => String(etaHistory(history, shipment, { now: instant(time) }));
  const markup = chartAt("2026-11-22T00:00:00Z");
  // The last change is halfway between the first report and now: to the right of it the line is level.
  expect(markup).toMatch(/ d="M0 \d+H500V\d+H1000"/);
  const texts = [...markup.matchAll(/<text[^>]*>([^<]+)</g)].map(([, text]) => text);
  expect(texts).toEqual(["14 Dec", "17 Dec", "20 Dec", "2 Nov", "7 Nov", "12 Nov", "17 Nov", "22 Nov"]);
  // A tenth of the seven days and two hours is left free above and below.
  const heights = [...markup.matchAll(/<line class="grid" x2="100%" y1="(\d+)"/g)].map(([, y]) => Number(y));
  expect(heights).toEqual([161, 108, 55]);
});

test("the line of a history shorter than a day ends at the present", () => {
  const history = [change("2026-06-01T00:00:00Z", "2026-07-02T10:00:00.000Z")];
  const markup = String(etaHistory(history, shipment, { now: instant("2026-06-01T06:00:00Z") }));
  // The axis is a day long: the six hours are in its middle.
  expect(markup).toMatch(/class="steps" d="M375 \d+H625"/);
});

/** Where the chart draws a day and its estimates, in CSS pixels from the top. */
function heightsIn(markup: string) {
  const levels = [...markup.matchAll(/<text x="-8" y="(\d+)"[^>]*>([^<]*)</g)];
  return {
    levels: new Map(levels.map(([, y, text]) => [text ?? "", Number(y) - 4])),
    dots: [...markup.matchAll(/cy="(\d+)"/g)].map(([, y]) => Number(y)),
  };
}

test.each([
  ["hours", "2026-07-02T12:00:00Z", "2026-07-02T18:00:00Z", ["06:00", "12:00", "18:00", "3 Jul"]],
  ["a day and a half", "2026-07-02T08:00:00Z", "2026-07-03T20:00:00Z", ["12:00", "3 Jul", "12:00"]],
])("levels of estimates that are %s apart are parts of a day", (_, first, second, texts) => {
  const history = [change("2026-06-10T00:00:00Z", second), change("2026-06-01T00:00:00Z", first)];
  const arriving = { ...shipment, portOfDischarge: null } as unknown as Shipment;
  const markup = String(etaHistory(history, arriving, { now: instant("2026-06-12T00:00:00Z") }));
  expect([...markup.matchAll(/<text x="-8" [^>]*>([^<]*)</g)].map(([, text]) => text)).toEqual(texts);
});

test.each([
  ["America/Los_Angeles", -7],
  ["Asia/Tokyo", 9],
  [null, 0],
])("draws an ETA on its day in the time zone %s", (timeZone, offsetHours) => {
  const noon = (day: number) => new Date(Date.UTC(2026, 2, day, 12 - offsetHours)).toISOString();
  const history = [change("2026-03-10T00:00:00Z", noon(24)), change("2026-03-01T00:00:00Z", noon(19))];
  const arriving = {
    podAtaAt: null,
    podOriginalEtaAt: null,
    portOfDischarge: { timeZone },
    destination: null,
  } as unknown as Shipment;
  const { levels, dots } = heightsIn(String(etaHistory(history, arriving, { now: instant("2026-03-12T00:00:00Z") })));
  expect([...levels]).toEqual([
    ["19 Mar", 166],
    ["21 Mar", 116],
    ["23 Mar", 66],
    ["25 Mar", 16],
  ]);
  // A level is midnight, and a day is 25 pixels high.
  expect(dots).toEqual([166 - 12, 41 - 12]);
});

test("draws an ETA on the clock that the reader chose", () => {
  const history = [change("2026-03-01T00:00:00Z", "2026-03-22T03:00:00Z")];
  const arriving = {
    podAtaAt: null,
    podOriginalEtaAt: null,
    portOfDischarge: { timeZone: "Europe/Berlin" },
    destination: null,
  } as unknown as Shipment;
  const { levels, dots } = inReaderZone("America/New_York", () =>
    heightsIn(String(etaHistory(history, arriving, { now: instant("2026-03-12T00:00:00Z") }))),
  );
  // 21 Mar 23:00 in New York, in the middle of a day that has one midnight.
  expect(levels.get("22 Mar")).toBe(Math.round(91 - 150 / 24));
  expect(dots).toEqual([91]);
});

test("names the original ETA of another port of discharge, from which the delay is counted", () => {
  const kind = "port_of_discharge_changed" as const;
  const summary = "The port of discharge is now Rotterdam instead of Antwerp.";
  const history = [
    change("2026-06-12T00:00:00Z", "2026-07-06T10:00:00.000Z"),
    change("2026-06-10T00:00:00Z", "2026-07-05T10:00:00.000Z", "podEtaAt", { kind, summary }),
    change("2026-06-01T00:00:00Z", "2026-07-02T10:00:00.000Z"),
  ];
  const portOfDischarge = { timeZone: "Europe/Amsterdam", name: "Rotterdam" };
  const podOriginalEtaAt = instant("2026-07-05T10:00:00Z");
  const diverted = { podAtaAt: null, podOriginalEtaAt, portOfDischarge, destination: null } as unknown as Shipment;
  expect(String(etaHistory(history, diverted, { now }))).toContain(
    "first Thu, 2 Jul 2026, 12:00 CEST, original ETA in Rotterdam Sun, 5 Jul 2026, 12:00 CEST, " +
      "now Mon, 6 Jul 2026, 12:00 CEST.",
  );
});

test("shows a single estimate as unchanged and draws the actual arrival", () => {
  const arrived = { ...shipment, podAtaAt: instant("2026-07-02T08:00:00Z") };
  const markup = String(etaHistory([change("2026-06-01T00:00:00Z", "2026-07-02T10:00:00.000Z")], arrived, { now }));
  expect(markup).toContain(
    "has not changed: first Thu, 2 Jul 2026, 12:00 CEST. It arrived Thu, 2 Jul 2026, 10:00 CEST.",
  );
  expect(markup).toContain('class="actual"');
  expect(markup).not.toContain("NaN");
});

test("marks the original ETA and says at the end of the line where it stands and how late that is", () => {
  const history = [
    change("2026-06-10T00:00:00Z", "2026-07-05T10:00:00.000Z"),
    change("2026-06-01T00:00:00Z", "2026-07-02T10:00:00.000Z"),
  ];
  const late = { ...shipment, podOriginalEtaAt: instant("2026-07-02T10:00:00Z") };
  const markup = String(etaHistory(history, late, { now }));
  expect(markup).toContain('class="original"');
  expect(textOf(markup)).toContain("2 Jul 5 Jul 3 d late 1 Jun");
  expect(textOf(markup)).toContain("ETA Original ETA 2 Jul ETA changes 1 change since 1 Jun, 3 days later.");
  const arrived = { ...late, podAtaAt: instant("2026-07-06T10:00:00Z") };
  expect(textOf(etaHistory(history, arrived, { now }))).toMatch(
    /2 Jul 6 Jul 4 d late 1 Jun .* ETA Original ETA 2 Jul Arrived 6 Jul/,
  );
});

test("the original ETA has no label of its own where that of the last one is", () => {
  const history = [
    change("2026-06-10T00:00:00Z", "2026-07-05T10:00:00.000Z"),
    change("2026-06-01T00:00:00Z", "2026-07-04T10:00:00.000Z"),
  ];
  const labels = (day: string) =>
    [
      ...String(
        etaHistory(history, { ...shipment, podOriginalEtaAt: instant(`2026-07-${day}T10:00:00Z`) }, { now }),
      ).matchAll(/<tspan x="100%"/g),
    ].length;
  expect(labels("04")).toBe(3);
  expect(labels("05")).toBe(1);
});

test("the history of a container that arrives separately is its own, and links to that of the last one", () => {
  const history = [change("2026-06-01T00:00:00Z", "2026-07-04T10:00:00.000Z")];
  const markup = (isLast: boolean) =>
    textOf(etaHistory(history, shipment, { now, container: { number: "SBXU1", isLast }, lastContainer: null }));
  expect(markup(false)).toContain(" · SBXU1 ");
  expect(markup(true)).toContain(" · last container SBXU1 ");
  expect(String(etaHistory(history, shipment, { now, container: { number: "SBXU1", isLast: false } }))).toContain(
    "The ETA of SBXU1 has not changed",
  );
});

test("draws nothing without an estimate or for an empty value", () => {
  expect(etaHistory([], shipment, { now })).toBeNull();
  expect(etaHistory([change("2026-06-01T00:00:00Z", null)], shipment, { now })).toBeNull();
});

test("says why the ETA changed: in the chart, in the table, and at the arrival of the timeline", () => {
  const summary = "SBX ALPHA departed from Shanghai on 3 Jun 2026, 26 hours later than planned.";
  const revised = {
    kind: "source_revision",
    summary: "Revised by the shipping line; no other report shows a cause.",
  } as const;
  const first = change("2026-06-01T00:00:00Z", "2026-07-02T10:00:00.000Z");
  const late = change("2026-06-04T00:00:00Z", "2026-07-04T10:00:00.000Z", "podEtaAt", {
    kind: "departure_changed",
    summary,
  });
  const last = change("2026-06-05T00:00:00Z", "2026-07-04T12:00:00.000Z", "podEtaAt", revised);
  const markup = String(etaHistory([last, late, first], shipment, { now }));
  expect(textOf(markup)).toContain(
    `Why the ETA changed 2 days later Thu, 4 Jun 2026, 02:00 CEST ${summary} As a table`,
  );
  expect(markup).toMatch(new RegExp(`<title>[^<]*${summary}</title>`));
  expect(markup).toContain(`<td data-label="Cause">${revised.summary}</td>`);
  expect(lastEtaCause([last, late, first], shipment)).toBe(
    `ETA changed on Thu, 4 Jun 2026, 02:00 CEST, 2 days later: ${summary}`,
  );
  expect(lastEtaCause([last, first], shipment)).toBeNull();
  expect(textOf(etaHistory([last, first], { ...shipment, shippingLineName: "Sandbox Line" }, { now }))).toContain(
    "ETA changes 1 change since 1 Jun, 2 days later. The carrier gave no reason. Reported 5 Jun: 2 days later",
  );
  expect(String(etaHistory([first], shipment, { now }))).not.toContain("Why the ETA changed");
});

test("lists the largest changes without a reason, the largest first", () => {
  const etas = ["02", "08", "09", "12", "14"].map((day, index) =>
    change(`2026-06-0${index + 1}T00:00:00Z`, `2026-07-${day}T10:00:00.000Z`),
  );
  expect(textOf(etaHistory(etas.toReversed(), shipment, { now }))).toContain(
    "ETA changes 4 changes since 1 Jun, 12 days later in all. The carrier gave no reason. Largest changes " +
      "Reported 2 Jun: 6 days later Reported 4 Jun: 3 days later Reported 5 Jun: 2 days later As a table",
  );
});

test("a report late in the day has the same time in the sentence and the table, in the zone of the port, else in UTC", () => {
  const cause = { kind: "departure_changed", summary: "Departed later." } as const;
  const history = [
    change("2027-03-02T07:08:00Z", "2027-03-24T10:00:00.000Z", "podEtaAt", cause),
    change("2027-03-01T20:00:00Z", "2027-03-22T10:00:00.000Z"),
  ];
  const chartIn = (timeZone: string | null) => {
    const arriving = {
      podAtaAt: null,
      podOriginalEtaAt: null,
      portOfDischarge: { timeZone },
      destination: null,
    } as unknown as Shipment;
    return `${lastEtaCause(history, arriving)} ${textOf(etaHistory(history, arriving, { now }))}`;
  };
  const there = chartIn("America/Los_Angeles");
  expect(there.match(/Mon, 1 Mar 2027, 23:08 GMT-8/g)).toHaveLength(3);
  expect(there).not.toContain("UTC");
  expect(chartIn(null).match(/Tue, 2 Mar 2027, 07:08 UTC/g)).toHaveLength(3);
});
