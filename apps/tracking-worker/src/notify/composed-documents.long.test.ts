import { expect, test } from "@jest/globals";
import { webhookEventNames } from "@svc/domain/webhooks";
import type { AnyResource } from "@svc/jsonapi";
import { containerResource, withContainerLinks } from "@svc/jsonapi/containers";
import { metroAreaResource, portResource, terminalResource, vesselResource } from "@svc/jsonapi/reference-data";
import { shipmentResource } from "@svc/jsonapi/shipments";
import { trackingRequestResource } from "@svc/jsonapi/tracking-requests";
import { transportEventResource } from "@svc/jsonapi/transport-events";
import { createContainerLinkReader, createContainerRepository } from "@svc/persistence/containers";
import { createReferenceDataRepository } from "@svc/persistence/reference-data";
import { createShipmentRepository } from "@svc/persistence/shipments";
import { createTrackingRequestRepository } from "@svc/persistence/tracking-requests";
import { createTransportEventRepository } from "@svc/persistence/transport-events";
import { startVoyageHarness, type VoyageHarness } from "../testing/voyage-harness.ts";

let harness: VoyageHarness;
/** Differences between the notifications of each poll and the records that the API showed after its commit. */
const differences: string[] = [];
const compared = new Set<string>();

interface Written {
  readonly id: string;
  readonly event: string;
  readonly accountId: string;
  readonly included: string;
}

/** The resources with these ids as the API shows them now. */
async function currentResources(accountId: string, ids: readonly string[]): Promise<ReadonlyMap<string, AnyResource>> {
  const { sql } = harness.database;
  const { baseUrl } = harness.context;
  const links = await createContainerLinkReader(sql).find(accountId, ids);
  const { ports, metroAreas, terminals, vessels } = await createReferenceDataRepository(sql).findRecords(ids);
  const resources: AnyResource[] = [
    ...(await createShipmentRepository(sql).findMany(accountId, ids)).map((one) => shipmentResource(one, baseUrl)),
    ...(await createContainerRepository(sql).findMany(accountId, ids)).map((one) =>
      withContainerLinks(
        containerResource(one, baseUrl),
        links.get(one.id) ?? { transportEventIds: [], rawEventIds: [] },
      ),
    ),
    ...(await createTrackingRequestRepository(sql).findMany(accountId, ids)).map((one) =>
      trackingRequestResource(one, baseUrl),
    ),
    ...(await createTransportEventRepository(sql).findMany(accountId, ids)).map((one) => transportEventResource(one)),
    ...ports.map((one) => portResource(one, baseUrl)),
    ...metroAreas.map((one) => metroAreaResource(one, baseUrl)),
    ...terminals.map((one) => terminalResource(one, baseUrl)),
    ...vessels.map((one) => vesselResource(one, baseUrl)),
  ];
  return new Map(resources.map((one) => [one.id, one]));
}

/** The members whose JSON differs, with both values. */
function changedMembers(composed: AnyResource, current: AnyResource): string[] {
  const membersOf = ({ attributes, relationships }: AnyResource) =>
    ({ ...attributes, ...relationships }) as Readonly<Record<string, unknown>>;
  const [before, after] = [membersOf(composed), membersOf(current)];
  return Object.keys({ ...before, ...after })
    .map((name) => [name, JSON.stringify(before[name]), JSON.stringify(after[name])] as const)
    .filter(([, one, other]) => one !== other)
    .map(([name, one, other]) => `${name}: ${one}, shown ${other}`);
}

let lastId = "00000000-0000-0000-0000-000000000000";

async function compareNew(): Promise<void> {
  const written = await harness.rows<Written>(
    `SELECT id, event, account_id AS "accountId", included FROM notification_events WHERE id > $1 ORDER BY id`,
    lastId,
  );
  lastId = written.at(-1)?.id ?? lastId;
  for (const [accountId, accountNotifications] of Map.groupBy(written, (one) => one.accountId)) {
    const included = accountNotifications.map(({ event, included }) => ({
      event,
      resources: JSON.parse(included) as AnyResource[],
    }));
    const ids = [...new Set(included.flatMap(({ resources }) => resources.map(({ id }) => id)))];
    const current = await currentResources(accountId, ids);
    for (const { event, resources } of included) {
      compared.add(event);
      for (const resource of resources) {
        const now = current.get(resource.id);
        // Events of notifications are resources of their own.
        if (now === undefined || JSON.stringify(now) === JSON.stringify(resource)) continue;
        differences.push(`${event}: ${resource.type} ${changedMembers(resource, now).join(", ")}`);
      }
      const missing = resources.slice(1).filter(({ id }) => !current.has(id));
      differences.push(...missing.map(({ type, id }) => `${event}: ${type} ${id} is not shown`));
    }
  }
}

/** Runs one transaction at a time, so that no other poll changes a record between a commit and its comparison. */
function compareEachPoll(): void {
  const { database } = harness.context;
  let last: Promise<unknown> = Promise.resolve();
  const transaction: typeof database.transaction = (work) => {
    const next = last.then(async () => {
      const result = await database.transaction(work);
      await compareNew();
      return result;
    });
    last = next.catch(() => undefined);
    return next;
  };
  Object.assign(harness.context, { database: { ...database, transaction } });
}

interface Group {
  readonly stories: readonly string[];
  readonly days: number;
  readonly stepHours: number;
  readonly timeoutMs?: number;
}

/** Every story. Those with a failing server are separate, because all numbers share its circuit breaker. */
const groups: readonly Group[] = [
  {
    stories: ["DIR", "TSP", "TS2", "RAI", "ROL", "DLY", "COR", "DUP", "OOO", "TZM", "CAN", "OMT", "SPL", "REU", "SIL"],
    days: 50,
    stepHours: 12,
  },
  { stories: ["NFO", "FOW", "ARW", "HLD", "AWM", "NFD", "RLD"], days: 50, stepHours: 12 },
  // It has 55 containers.
  { stories: ["PAG"], days: 45, stepHours: 72 },
  { stories: ["ERR"], days: 50, stepHours: 36 },
  // Its Retry-After is in real seconds.
  { stories: ["RTL"], days: 9, stepHours: 36 },
  { stories: ["SLW"], days: 50, stepHours: 36, timeoutMs: 200 },
];

test.each(groups.map((group) => [group.stories.join(" "), group] as const))(
  "a notification has the bytes that the API shows right after the commit: %s",
  async (_names, { stories, days, stepHours, timeoutMs }) => {
    harness = await startVoyageHarness(timeoutMs === undefined ? {} : { timeoutMs });
    try {
      compareEachPoll();
      const differencesBefore = differences.length;
      for (const story of stories) await harness.track(`SBX${story}000001`);
      await harness.sail(days, stepHours);
      expect(differences.slice(differencesBefore, differencesBefore + 3)).toEqual([]);
    } finally {
      await harness.close();
    }
  },
  600_000,
);

test("every kind of event that voyages cause was compared", () => {
  const caused = webhookEventNames.filter((name) => !name.startsWith("webhook.") && !name.startsWith("exception."));
  // A person reports that a container was delivered, not a feed; charges follow from the rules of an account.
  const others = ["container.transport.delivered", "container.demurrage.changed"];
  expect([...compared].toSorted()).toEqual(caused.filter((name) => !others.includes(name)).toSorted());
});
