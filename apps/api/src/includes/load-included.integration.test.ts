import { beforeAll, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { insertContainer, insertShipment } from "../testing/rows.ts";
import { startTestApi } from "../testing/start-test-api.ts";
import { includedInListMax } from "./load-included.ts";

const api = started(startTestApi);
let shipmentIds: string[];

beforeAll(async () => {
  shipmentIds = [];
  for (let n = 0; n < 2; n++) {
    const shipmentId = await insertShipment(api.database, api.account.id);
    shipmentIds.push(shipmentId);
    const containerIds = [];
    for (let index = 0; index < 2; index++) {
      containerIds.push(await insertContainer(api.database, api.account.id, shipmentId));
    }
    // Together with the two containers of each of the two shipments, as many as may be included.
    await addEvents(shipmentId, containerIds, includedInListMax / 4 - 1);
  }
});

async function addEvents(shipmentId: string, containerIds: readonly string[], perContainer: number): Promise<void> {
  await api.database.pool.query(
    `INSERT INTO transport_events
       (account_id, id, shipment_id, container_id, event, milestone_key, occurred_at, data_source, created_at)
     SELECT $1, gen_random_uuid(), $2, container_id, 'vessel_departed', gen_random_uuid()::text,
       timestamptz '2026-11-20T10:00:00Z' + n * interval '1 second', 'shipping_line', now()
     FROM unnest($3::uuid[]) AS container_id, generate_series(1, $4) AS n`,
    [api.account.id, shipmentId, containerIds, perContainer],
  );
}

interface Container {
  readonly id: string;
  readonly type: string;
  readonly relationships: { readonly transport_events: { readonly data: readonly { readonly id: string }[] } };
}

test("a list includes up to 20,000 resources, each event linked by its own container", async () => {
  const { status, body } = await api.request("/shipments?include=containers.transport_events");
  expect([status, body.included.length]).toEqual([200, includedInListMax]);
  const containers: Container[] = body.included.filter(({ type }: Container) => type === "container");
  const linked = containers.map(({ relationships }) => relationships.transport_events.data.map(({ id }) => id));
  expect(linked.map((ids) => ids.length)).toEqual(Array(4).fill(includedInListMax / 4 - 1));
  expect(new Set(linked.flat()).size).toBe(includedInListMax - 4);
});

test("refuses a list that would include more and names the alternative, but reads a single record completely", async () => {
  const [first = ""] = shipmentIds;
  const { body: shipment } = await api.request(`/shipments/${first}`);
  const containerId = shipment.data.relationships.containers.data[0].id;
  await addEvents(first, [containerId], 1);
  const refused = await api.request("/shipments?include=containers.transport_events");
  expect(refused).toMatchObject({
    status: 400,
    body: {
      errors: [
        {
          code: "invalid_parameter",
          detail: "include leads to more than 20000 resources. Request fewer by page[size], or include less.",
          source: { parameter: "include" },
        },
      ],
    },
  });
  await addEvents(first, [containerId], includedInListMax / 2);
  const complete = await api.request(`/shipments/${first}?include=containers.transport_events`);
  expect([complete.status, complete.body.included.length]).toEqual([200, includedInListMax + 1]);
  const smaller = await api.request("/shipments?page[size]=1&include=containers.transport_events");
  expect(smaller.status).toBe(200);
});
