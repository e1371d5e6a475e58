import { beforeAll, expect, test } from "@jest/globals";
import { createContainerLinkReader } from "@svc/persistence/containers";
import { createTransportEventRepository } from "@svc/persistence/transport-events";
import { started } from "@svc/testkit/started";
import { startVoyageHarness } from "../testing/voyage-harness.ts";

/** They cover changing estimates, last free days of carrier and terminal, appointments, transshipment and rail. */
const numbers = ["SBXTS2000001", "SBXRAI000001", "SBXHLD000001"];

const harness = started(startVoyageHarness);
beforeAll(async () => {
  for (const number of numbers) await harness.track(number);
  await harness.sail(50, 12);
});

interface Referred {
  readonly event: string;
  readonly referenceId: string;
  readonly containerId: string;
}

test("lists every transport event that a notification of a voyage refers to [spec: R3]", async () => {
  const referred = await harness.rows<Referred>(
    `SELECT DISTINCT event, reference_id AS "referenceId",
       included::jsonb -> 0 -> 'relationships' -> 'container' -> 'data' ->> 'id' AS "containerId"
     FROM notification_events WHERE account_id = $1 AND reference_type = 'transport_event'`,
    harness.accountId,
  );
  const events = createTransportEventRepository(harness.database.sql);
  const missing: string[] = [];
  const newest = { size: 100, sortBy: "created_at", descending: true } as const;
  for (const [containerId, containerEvents] of Map.groupBy(referred, (one) => one.containerId)) {
    const listed = new Set<string>();
    for (let number = 1; ; number++) {
      const position = { kind: "number", number } as const;
      const page = await events.listOfContainer(harness.accountId, containerId, { ...newest, position });
      for (const { id } of page.items) listed.add(id);
      if (!page.hasMore) break;
    }
    // A corrected version is not listed, but can be read by its id.
    const gone = containerEvents.filter(({ referenceId }) => !listed.has(referenceId));
    const found = await events.findMany(
      harness.accountId,
      gone.map(({ referenceId }) => referenceId),
    );
    const corrected = new Set(found.filter(({ invalidatedAt }) => invalidatedAt !== null).map(({ id }) => id));
    missing.push(...gone.filter(({ referenceId }) => !corrected.has(referenceId)).map(({ event }) => event));
  }
  const kinds = new Set(referred.map(({ event }) => event));
  expect([...kinds].filter((event) => event.includes("estimated")).length).toBeGreaterThan(1);
  expect([...kinds].filter((event) => event.includes("pickup")).length).toBeGreaterThan(1);
  expect([referred.length > 60, missing]).toEqual([true, []]);
});

test("a change event has the form of its notification, separate from the milestones [spec: R2, R3]", async () => {
  const events = createTransportEventRepository(harness.database.sql);
  const [container] = await harness.rows<{ id: string }>(
    "SELECT id FROM containers WHERE account_id = $1",
    harness.accountId,
  );
  const id = container?.id ?? "";
  const page = { size: 100, sortBy: "created_at", descending: true, position: { kind: "number", number: 1 } } as const;
  const kinds = ["estimated.vessel_arrived"] as const;
  const { items } = await events.listOfContainer(harness.accountId, id, page, { kinds });
  expect(items.length).toBeGreaterThan(0);
  for (const { id: eventId, event, occurredAt, createdAt } of items) {
    const [notified] = await harness.rows<{ attributes: { event: string; timestamp: string; created_at: string } }>(
      `SELECT included::jsonb -> 0 -> 'attributes' AS attributes FROM notification_events
       WHERE account_id = $1 AND reference_id = '${eventId}'`,
      harness.accountId,
    );
    expect(notified?.attributes).toMatchObject({
      event: `container.transport.${event}`,
      timestamp: occurredAt,
      created_at: createdAt,
    });
  }
  const milestones = await events.findOfContainers(harness.accountId, [id]);
  expect(milestones.filter(({ event }) => event.includes("."))).toEqual([]);
  const links = (await createContainerLinkReader(harness.database.sql).find(harness.accountId, [id])).get(id);
  expect(links?.transportEventIds).toEqual(expect.arrayContaining(items.map((one) => one.id)));
  const [included] = await harness.rows<{ found: boolean }>(
    `SELECT bool_and(jsonb_array_length(one -> 'relationships' -> 'raw_events' -> 'data') > 0) AS found
     FROM notification_events n CROSS JOIN jsonb_array_elements(n.included::jsonb) AS one
     WHERE n.account_id = $1 AND one ->> 'type' = 'container'`,
    harness.accountId,
  );
  expect(included?.found).toBe(true);
});
