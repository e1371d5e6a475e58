import { beforeAll, describe, expect, test } from "@jest/globals";
import { canonicalJson, type Instant } from "@svc/domain";
import type { Container } from "@svc/domain/containers";
import { deriveShipment } from "@svc/domain/derivation";
import type { Shipment } from "@svc/domain/shipments";
import { transportEventNames } from "@svc/domain/transport-events";
import { createContainerRouteReader } from "@svc/persistence/container-route";
import { createContainerRepository } from "@svc/persistence/containers";
import { createChangeTimesReader, createFieldHistoryReader, createProvenanceReader } from "@svc/persistence/history";
import { createEtaAccuracyReader } from "@svc/persistence/lanes";
import { createShipmentRepository, createTrackedStateReader } from "@svc/persistence/shipments";
import { findObservations } from "@svc/persistence/tracking";
import { createTransportEventRepository, readLastEvents } from "@svc/persistence/transport-events";
import { started } from "@svc/testkit/started";
import { startVoyageHarness } from "../testing/voyage-harness.ts";

/** Scenarios with corrections, delay, rollover, terminal events and an inland leg by rail. */
const stories = ["COR", "DLY", "ROL", "HLD", "RAI"];

interface Tracked {
  readonly id: string;
  readonly subjectId: string;
  readonly number: string;
}

const harness = started(startVoyageHarness);
let shipments: Tracked[];
/** Every shipment and container as shown on each day. */
const snapshots: {
  readonly at: Instant;
  readonly records: readonly (Shipment | Container)[];
  readonly page: object;
}[] = [];

beforeAll(async () => {
  for (const story of stories) await harness.track(`SBX${story}000003`);
  for (let day = 0; day < 34; day++) {
    await harness.sail(1, 24);
    snapshots.push({ at: harness.clock.now(), records: await presentRecords(), page: await pageParts() });
  }
  shipments = await harness.rows(
    `SELECT id, subject_id AS "subjectId", normalized_number AS number FROM shipments ORDER BY number`,
  );
});

const idsOf = async (table: "shipments" | "containers"): Promise<string[]> =>
  (await harness.rows<{ id: string }>(`SELECT id FROM ${table} ORDER BY id`)).map(({ id }) => id);

async function presentRecords(): Promise<(Shipment | Container)[]> {
  const { sql } = harness.database;
  return [
    ...(await createShipmentRepository(sql).findMany(harness.accountId, await idsOf("shipments"))),
    ...(await createContainerRepository(sql).findMany(harness.accountId, await idsOf("containers"))),
  ];
}

async function recordsAsOf(asOf: Instant): Promise<(Shipment | Container)[]> {
  const { sql } = harness.database;
  return [
    ...(await createShipmentRepository(sql).findManyAsOf(harness.accountId, await idsOf("shipments"), asOf)),
    ...(await createContainerRepository(sql).findManyAsOf(harness.accountId, await idsOf("containers"), asOf)),
  ];
}

const newestChanges = {
  size: 100,
  sortBy: "valid_from",
  descending: true,
  position: { kind: "number", number: 1 },
} as const;

/** Reads the parts of a page besides the records: milestones, route, ETA history; as known at `asOf`, or at present. */
async function pageParts(asOf?: Instant): Promise<object> {
  const { sql } = harness.database;
  const [shipmentIds, containerIds] = [await idsOf("shipments"), await idsOf("containers")];
  const events = createTransportEventRepository(sql);
  const routes = createContainerRouteReader(sql, sql);
  const history = createFieldHistoryReader(sql);
  const routeOf = async (id: string) =>
    (await routes.find(harness.accountId, id, asOf))?.source.observations.map((observation) => observation.id);
  const estimatesOf = async (id: string) =>
    (await history.list(harness.accountId, id, ["podEtaAt"], newestChanges, asOf)).items;
  return {
    milestones:
      asOf === undefined
        ? await events.findOfContainers(harness.accountId, containerIds)
        : await events.findOfContainersAsOf(harness.accountId, containerIds, asOf),
    lastEvents: await readLastEvents(sql, harness.accountId, containerIds, asOf === undefined ? {} : { asOf }),
    routes: await Promise.all(containerIds.map(routeOf)),
    estimates: await Promise.all(shipmentIds.map(estimatesOf)),
  };
}

/** The time of the last poll has no history, and internal columns are not shown. */
function withoutBooks(record: Shipment | Container): object {
  const {
    rowVersion: _rowVersion,
    updatedAt: _updatedAt,
    ...shown
  } = { ...record, lineTrackingLastAttemptedAt: null, lineTrackingLastSucceededAt: null };
  return { ...shown, terminalCheckedAt: null, shipmentLastTrackingRequestAt: null };
}

const inOrder = (records: readonly (Shipment | Container)[]): object[] =>
  records.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(withoutBooks);

type Values = Readonly<Record<string, unknown>>;
const firstPage = {
  size: 100,
  sortBy: "valid_from",
  descending: true,
  position: { kind: "number", number: 1 },
} as const;

async function valuesAsOf(id: string, asOf: Instant): Promise<Values> {
  const { items } = await createProvenanceReader(harness.database.sql).list(harness.accountId, id, asOf, firstPage);
  return Object.fromEntries(items.map(({ field, value }) => [field, value]));
}

/** The milestones of a container at that time, as comparable text. */
async function timelineAsOf(id: string, asOf: Instant): Promise<string[]> {
  const page = { ...firstPage, sortBy: "created_at" } as const;
  const { items } = await createTransportEventRepository(harness.database.sql).listOfContainer(
    harness.accountId,
    id,
    page,
    {
      asOf,
      names: transportEventNames,
    },
  );
  expect(items.filter(({ createdAt, invalidatedAt }) => createdAt > asOf || invalidatedAt !== null)).toEqual([]);
  return items.map(({ event, occurredAt, locationLocode }) => `${event} ${occurredAt} ${locationLocode}`).toSorted();
}

const valuesOf = (attributes: object): Values =>
  Object.fromEntries(Object.entries(attributes).map(([field, { value }]) => [field, value]));

/** Reads the times at which observations of the shipment were received. */
async function changeTimes({ id, subjectId }: Tracked): Promise<Instant[]> {
  const known = await findObservations(harness.database.sql, { accountId: harness.accountId, id: subjectId }, id);
  return [...new Set(known.map(({ observation }) => observation.observedAt))].toSorted();
}

describe("reads as of a time", () => {
  test.each(stories)("equals the state derived from the replies received until then: %s", async (story) => {
    const shipment = shipments.find(({ number }) => number === `SBX${story}000003`);
    if (shipment === undefined) throw new Error(`${story} is not tracked.`);
    const { id, subjectId } = shipment;
    const known = await findObservations(harness.database.sql, { accountId: harness.accountId, id: subjectId }, id);
    const containers = await harness.rows<{ id: string; number: string }>(
      "SELECT id, number FROM containers WHERE shipment_id = $1",
      id,
    );
    const times = await changeTimes(shipment);
    expect(times.length).toBeGreaterThan(8);
    for (const asOf of times) {
      const until = known.flatMap(({ observation }) => (observation.observedAt <= asOf ? observation : []));
      const derived = deriveShipment(until, harness.context.places);
      const expected = [[id, valuesOf(derived.attributes)] as const].concat(
        derived.containers.map((one) => [
          containers.find(({ number }) => number === one.number)?.id ?? "",
          valuesOf(one.attributes),
        ]),
      );
      for (const [record, values] of expected)
        expect([asOf, canonicalJson(await valuesAsOf(record, asOf))]).toEqual([asOf, canonicalJson(values)]);
      for (const { id: containerId, number } of containers) {
        const events = derived.containers.find((one) => one.number === number)?.events ?? [];
        const timeline = events.map(({ event, occurredAt, place }) => `${event} ${occurredAt} ${place.locode}`);
        expect([asOf, await timelineAsOf(containerId, asOf)]).toEqual([asOf, timeline.toSorted()]);
      }
    }
  });

  test("shows the page as it was then: milestones, route and ETA history", async () => {
    for (const { at, page } of snapshots) expect([at, await pageParts(at)]).toEqual([at, page]);
    const [shipment] = shipments;
    const times = await createChangeTimesReader(harness.database.sql)(harness.accountId, [shipment?.id ?? ""], 500);
    expect(times.length).toBeGreaterThan(2);
    expect(times).toEqual([...new Set(times)].toSorted());
    expect(await createChangeTimesReader(harness.database.sql)(harness.accountId, [shipment?.id ?? ""], 2)).toEqual(
      times.slice(-2),
    );
  });

  test("shows the record as it was then, with its places, vessel and containers", async () => {
    for (const { at, records } of snapshots)
      expect([at, inOrder(await recordsAsOf(at))]).toEqual([at, inOrder(records)]);
    // Each kind of place and facility occurs in at least one record.
    const last = snapshots.at(-1)?.records ?? [];
    for (const name of [
      "portOfLading",
      "portOfDischarge",
      "destination",
      "podTerminal",
      "destinationTerminal",
    ] as const)
      expect([name, last.filter((record) => name in record && record[name as never] !== null).length > 0]).toEqual([
        name,
        true,
      ]);
    expect(last.some((record) => "pickupFacility" in record && record.pickupFacility?.kind === "rail_terminal")).toBe(
      true,
    );
    expect(last.some((record) => "emptyTerminatedTimezone" in record && record.emptyTerminatedTimezone !== null)).toBe(
      true,
    );
  });

  test("refers to a stored reply that was received by then", async () => {
    const reader = createProvenanceReader(harness.database.sql);
    for (const { id } of shipments) {
      const { items } = await reader.list(harness.accountId, id, undefined, firstPage);
      expect(items.length).toBeGreaterThan(10);
      for (const { field, observationId, rawReplyId, receivedAt, validFrom } of items) {
        expect([field, observationId, rawReplyId]).toEqual([field, expect.any(String), expect.any(String)]);
        expect((receivedAt ?? "") <= validFrom).toBe(true);
      }
    }
  });
});

describe("estimates of the arrival", () => {
  test("are kept as notified, and closed by the arrival, also by a corrected one", async () => {
    for (const { id } of shipments) {
      const storedEvents = await harness.rows(
        `SELECT observed_at AS at, eta_at AS eta FROM eta_samples WHERE shipment_id = $1 ORDER BY observed_at`,
        id,
      );
      const notified = await harness.rows(
        `SELECT valid_from AS at, (value #>> '{}')::timestamptz AS eta FROM field_facts e
         WHERE subject_id = $1 AND field = 'podEtaAt' AND valid_from < (SELECT min(a.valid_from) FROM field_facts a
           WHERE a.subject_id = $1 AND a.field = 'podAtaAt') ORDER BY valid_from`,
        id,
      );
      expect(storedEvents).toEqual(notified);
      const [arrival] = await harness.rows("SELECT pod_ata_at AS at FROM shipments WHERE id = $1", id);
      const closed = await harness.rows("SELECT DISTINCT arrived_at AS at FROM eta_samples WHERE shipment_id = $1", id);
      expect(closed).toEqual([arrival]);
    }
  });

  test("are measured for each carrier and lane, and by lead time", async () => {
    const page = { ...firstPage, sortBy: "last_arrived_at" } as const;
    const { items } = await createEtaAccuracyReader(harness.database.sql).list(harness.accountId, {}, page);
    expect(items.reduce((sum, lane) => sum + lane.shipments, 0)).toBe(stories.length);
    const early = items.flatMap(({ byLeadTime }) => byLeadTime.at(-1)?.meanErrorHours ?? []);
    const atLast = items.flatMap(({ byLeadTime }) => byLeadTime[0]?.meanErrorHours ?? []);
    // One is nine days late, and its carrier reports it in the end.
    expect(Math.max(...early)).toBeGreaterThan(48);
    expect(Math.max(...atLast)).toBeLessThan(Math.max(...early));
  });
});

test("freshness is computed from the replies of the carrier", async () => {
  const [shipment] = shipments;
  const state = await createTrackedStateReader(harness.database.sql)(harness.accountId, shipment?.id ?? "");
  expect(state).toMatchObject({ lastSucceededAt: expect.any(String), progress: { containers: expect.any(Array) } });
});
