import { beforeAll, describe, expect, test } from "@jest/globals";
import { pageSchema } from "@svc/jsonapi/documents";
import { FieldChangeResource } from "@svc/jsonapi/history";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { insertContainer, insertShipment } from "../testing/rows.ts";
import { startTestApi } from "../testing/start-test-api.ts";

const api = started(startTestApi);
let shipmentId: string;

const at = (hour: number) => new Date(Date.UTC(2026, 10, 21, hour));

async function insertFact(
  field: string,
  value: unknown,
  from: number,
  until: number | null,
  cause?: object,
): Promise<void> {
  await api.database.prisma.fieldFact.create({
    data: {
      accountId: api.account.id,
      id: uuidV7.next(),
      subjectType: "shipment",
      subjectId: shipmentId,
      field,
      value: value as object,
      rule: "latest-estimate",
      dataSource: "shipping_line",
      validFrom: at(from),
      supersededAt: until === null ? null : at(until),
      ...(cause && { cause }),
    },
  });
}

beforeAll(async () => {
  shipmentId = await insertShipment(api.database, api.account.id);
  await insertFact("podEtaAt", "2026-12-01T00:00:00.000Z", 1, 2);
  await insertFact("podEtaAt", "2026-12-02T00:00:00.000Z", 2, 3, {
    kind: "source_changed",
    previousSource: "shipping_line",
    source: "terminal",
  });
  await insertFact("podEtaAt", "2026-12-09T00:00:00.000Z", 5, null);
  await insertFact("portOfLading", { locode: "CNSHA", timeZone: "Asia/Shanghai" }, 4, null);
});

describe("GET /shipments/{id}/history", () => {
  test("200: how an estimate drifted, with old and new values, the latest change first", async () => {
    const { status, body } = await api.request(`/shipments/${shipmentId}/history?filter[field]=pod_eta_at`);
    expect([status, pageSchema(FieldChangeResource.strict()).safeParse(body).error]).toEqual([200, undefined]);
    const drift = body.data.map(({ attributes }: { attributes: { old_value: unknown; new_value: unknown } }) => [
      attributes.old_value,
      attributes.new_value,
    ]);
    expect(drift).toEqual([
      // Withdrawn in between, so it had no value when the new one came.
      [null, "2026-12-09T00:00:00.000Z"],
      ["2026-12-01T00:00:00.000Z", "2026-12-02T00:00:00.000Z"],
      [null, "2026-12-01T00:00:00.000Z"],
    ]);
    expect(body.data[1].attributes).toMatchObject({
      changed_at: "2026-11-21T02:00:00.000Z",
      data_source: "shipping_line",
    });
  });

  test("200: why the ETA changed, in one sentence", async () => {
    const causesIn = ({ body }: { body: { data: { attributes: { cause: unknown } }[] } }) =>
      body.data.map(({ attributes }) => attributes.cause);
    const summary = "The estimate now comes from the terminal instead of the shipping line.";
    const expected = [null, { kind: "source_changed", summary }, null];
    const query = "filter[field]=pod_eta_at";
    expect(causesIn(await api.request(`/shipments/${shipmentId}/history?${query}`))).toEqual(expected);
    // The shipment was last updated when it was created.
    const since = "2026-11-20T00:00:00Z";
    expect(causesIn(await api.request(`/changes?${query}&filter[since]=${since}`))).toEqual(expected);
    const { body } = await api.request(`/shipments/${shipmentId}/tracking_summary`);
    const changes = body.included.filter(({ type }: { type: string }) => type === "field_change");
    expect(causesIn({ body: { data: changes } })).toEqual(expected);
  });

  test("200: every field, with the names of the wire also inside values; by pages", async () => {
    const first = await api.request(`/shipments/${shipmentId}/history?page[size]=2`);
    expect(first.body.data[1].attributes).toMatchObject({
      field: "port_of_lading",
      new_value: { locode: "CNSHA", time_zone: "Asia/Shanghai" },
    });
    const rest = await api.request(first.body.links.next);
    expect(rest.body.data).toHaveLength(2);
  });

  test("200 and empty: a record without changes; 404: another account's", async () => {
    const containerId = await insertContainer(api.database, api.account.id, shipmentId);
    expect((await api.request(`/containers/${containerId}/history`)).body.data).toEqual([]);
    const { token } = await api.createAccount();
    for (const path of [`/containers/${containerId}/history`, `/shipments/${shipmentId}/history`]) {
      expect((await api.request(path, { token })).status).toBe(404);
    }
  });
});
