import { beforeAll, describe, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { insertShipment } from "../../apps/api/src/testing/rows.ts";
import { startTestApi } from "../../apps/api/src/testing/start-test-api.ts";
import { insertFullShipment } from "./full-shipment.ts";
import {
  type AttributeKind,
  type AttributeRow,
  type RelationshipRow,
  shipmentAttributes,
  shipmentRelationships,
  stopReasons,
} from "./shipment-record.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const isText = (value: unknown) => typeof value === "string" && value !== "";
const isTimeZone = (value: unknown) => Intl.supportedValuesOf("timeZone").includes(String(value));

const kindChecks: Readonly<Record<AttributeKind, (value: unknown) => boolean>> = {
  text: isText,
  texts: (value) => Array.isArray(value) && value.every(isText),
  moment: (value) => /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/.test(String(value)),
  locode: (value) => /^[A-Z]{2}[A-Z2-9]{3}$/.test(String(value)),
  zone: isTimeZone,
  stop_reason: (value) => (stopReasons as readonly unknown[]).includes(value),
};

const attributeRows: [string, AttributeRow][] = Object.entries(shipmentAttributes);
const relationshipRows: [string, RelationshipRow][] = Object.entries(shipmentRelationships);

interface ShipmentRecord {
  readonly id: string;
  readonly type: string;
  readonly attributes: { readonly [name: string]: unknown };
  readonly relationships: { readonly [name: string]: { readonly data: unknown } };
  readonly links: { readonly self: string };
}

const api = started(startTestApi);
let full: ShipmentRecord;
let bare: ShipmentRecord;

beforeAll(async () => {
  const read = async (id: string): Promise<ShipmentRecord> => (await api.request(`/shipments/${id}`)).body.data;
  full = await read(await insertFullShipment(api, "cancelled_by_user"));
  bare = await read(await insertShipment(api.database, api.account.id));
});

describe("a shipment of which everything is known, and one of which nothing is", () => {
  test("have every attribute, of its kind [spec: shipment.attribute.*]", () => {
    for (const [name, { kind, nullable }] of attributeRows) {
      const [known, unknown] = [full.attributes[name], bare.attributes[name]];
      expect([name, known, kindChecks[kind](known)]).toEqual([name, known, true]);
      // Reference numbers may be null by the specification; this service answers an empty array.
      const isAsExpected = nullable && kind !== "texts" ? unknown === null : kindChecks[kind](unknown);
      expect([name, unknown, isAsExpected]).toEqual([name, unknown, true]);
    }
  });

  test("have every relationship, to one of its types or to nothing [spec: shipment.relationship.*]", () => {
    for (const [name, { many, types }] of relationshipRows) {
      const linked = full.relationships[name]?.data;
      const linkages = (many ? linked : [linked]) as { type: string; id: string }[];
      expect([name, linkages.length]).toEqual([name, 1]);
      for (const { type, id, ...rest } of linkages) {
        expect([name, types.includes(type), uuid.test(id), rest]).toEqual([name, true, true, {}]);
      }
      expect([name, bare.relationships[name]?.data]).toEqual([name, many ? [] : null]);
    }
  });

  test("are complete records with an address that leads to them [spec: service.2, shipment.field.*]", async () => {
    for (const record of [full, bare]) {
      expect(Object.keys(record).toSorted()).toEqual(["attributes", "id", "links", "relationships", "type"]);
      expect([record.type, uuid.test(record.id)]).toEqual(["shipment", true]);
      expect((await api.request(record.links.self)).body.data).toEqual(record);
    }
  });
});

test("each reason for the end of tracking can be stored and read [spec: states.stopped_reason]", async () => {
  for (const lineTrackingStoppedReason of stopReasons) {
    const stopped = { lineTrackingStoppedReason, lineTrackingStoppedAt: new Date() };
    const id = await insertShipment(api.database, api.account.id, stopped);
    const { attributes } = (await api.request(`/shipments/${id}`)).body.data;
    expect(attributes.line_tracking_stopped_reason).toBe(lineTrackingStoppedReason);
  }
});

test("the version is the prefix of every path, and the description names it [spec: versioning.1, versioning.2]", async () => {
  const { body } = await api.request("/openapi.json", { token: null });
  expect(body.info.version).toBe("0.2.0");
  expect(body.info.description).toMatch(/\bbeta\b/i);
  expect(body.servers).toEqual([{ url: expect.stringMatching(/\/v2$/) }]);
  expect((await api.request("/shipments")).status).toBe(200);
  const headers = { Authorization: `Token ${api.account.token}` };
  expect((await fetch(new URL("/shipments", api.url), { headers })).status).toBe(404);
});
