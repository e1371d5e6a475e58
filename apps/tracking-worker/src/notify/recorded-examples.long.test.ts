import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "@jest/globals";
import { demurrageSettings } from "@svc/domain/demurrage";
import { webhookEventNames } from "@svc/domain/webhooks";
import type { AnyResource } from "@svc/jsonapi";
import { uuidV7 } from "@svc/persistence";
import { createDemurrageRuleRepository } from "@svc/persistence/demurrage";
import { started } from "@svc/testkit/started";
import { createExceptionHarness } from "../testing/exception-harness.ts";
import { startVoyageHarness } from "../testing/voyage-harness.ts";

/**
 * Records the samples of `GET /webhook_notifications/examples`: for each event the first notification of these voyages.
 * `SVC_RECORD=1 npm test -- recorded-examples` writes the file; without it, the test compares its form.
 */
const numbers = [
  "SBXRAI000001",
  "SBXTS2000001",
  "SBXHLD000001",
  "SBXOMT000001",
  "SBXSPL000001",
  "SBXROL000001",
  "SBXNFD000001",
];

const file = fileURLToPath(new URL("../../../api/src/notifications/recorded-examples.json", import.meta.url));

/** Demurrage rule of each account, so that its containers are charged. */
const tariff = demurrageSettings(
  { name: "Contract 2030", freeDays: 1, currencyCode: "USD", tiers: [{ fromDay: 1, amountPerDay: "75.00" }] },
  null,
);

/** The webhook worker composes these, from the health of an endpoint. */
const isWorkerEvent = (event: string): boolean => event.startsWith("webhook.");

interface Example {
  /** When the notification was composed. */
  readonly at: string;
  readonly referenceType: string;
  readonly included: readonly AnyResource[];
}

type Examples = Readonly<Record<string, Example>>;

let recorded: Examples;

/** A sample of an event that no carrier reports: the container of a pickup, delivered at that time. */
function delivered({ included: [event, ...others], ...pickup }: Example): Example {
  if (event === undefined) throw new Error("A pickup includes its transport event first.");
  const { timestamp } = event.attributes as { timestamp: string };
  const marked = others.map((one) => {
    const change = { current_status: "delivered", delivered_at: timestamp };
    return one.type === "container" ? { ...one, attributes: { ...one.attributes, ...change } } : one;
  });
  const name = "container.transport.delivered";
  const reference = { ...event, attributes: { ...event.attributes, event: name } } as AnyResource;
  return { ...pickup, included: [reference, ...marked] };
}

async function firstExamples(accountIds: readonly string[]): Promise<Examples> {
  const rows = await harness.rows<Example & { event: string; accountId: string }>(
    `SELECT event, account_id AS "accountId", created_at AS at, reference_type AS "referenceType",
       included::jsonb AS included
     FROM notification_events ORDER BY created_at, id`,
  );
  const examples = new Map<string, Example>();
  for (const accountId of accountIds) {
    for (const { event, accountId: eventAccountId, ...example } of rows) {
      if (eventAccountId === accountId && !examples.has(event)) examples.set(event, example);
    }
  }
  const pickup = examples.get("container.transport.full_out");
  if (pickup !== undefined) examples.set("container.transport.delivered", delivered(pickup));
  return Object.fromEntries(
    webhookEventNames.flatMap((name) => {
      const example = examples.get(name);
      return example === undefined ? [] : [[name, example]];
    }),
  );
}

const harness = started(() => startVoyageHarness({ beginAt: "2030-01-07T09:00:00.000Z" }));
beforeAll(async () => {
  const exceptions = createExceptionHarness(harness);
  const accounts: string[] = [];
  for (const number of numbers) {
    const accountId = await harness.newAccount();
    accounts.push(accountId);
    await harness.subscribe(["*", "exception.*", "container.demurrage.changed"], accountId);
    await createDemurrageRuleRepository(harness.database.sql).create(accountId, { ...tariff, id: uuidV7.next() }, 1);
    await harness.request(number, { accountId, scac: "SBXL", refNumbers: ["PO-4711"], shipmentTags: ["example"] });
  }
  for (let halfDays = 0; halfDays < 100; halfDays++) {
    await harness.sail(0.5, 12);
    for (const accountId of accounts) await exceptions.check(accountId);
  }
  recorded = await firstExamples(accounts);
}, 600_000);

/** The form of a sample: the members of each type of resource. */
const shapeOf = ({ referenceType, included }: Example) => ({
  referenceType,
  types: [...new Set(included.map(({ type }) => type))].toSorted(),
  members: Object.fromEntries(
    included.map(({ type, attributes, relationships }) => [
      type,
      [attributes, relationships].map((one) => Object.keys(one ?? {})),
    ]),
  ),
});

const shapesOf = (examples: Examples) =>
  Object.fromEntries(Object.entries(examples).map(([event, example]) => [event, shapeOf(example)]));

/** Replaces the ids by example ids, which are the same in each recording. */
function withExampleIds(text: string): string {
  const ids = new Map<string, string>();
  return text.replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => {
    const example = ids.get(id) ?? `01980000-0000-7000-8000-${String(ids.size + 1).padStart(12, "0")}`;
    ids.set(id, example);
    return example;
  });
}

test("the recorded samples have the form of what the voyages notify; SVC_RECORD=1 records them again", () => {
  expect(Object.keys(recorded)).toEqual(webhookEventNames.filter((name) => !isWorkerEvent(name)));
  if (process.env.SVC_RECORD === "1") {
    const lines = Object.entries(recorded).map(([event, example]) => `"${event}":${JSON.stringify(example)}`);
    fs.writeFileSync(file, withExampleIds(`{\n${lines.join(",\n")}\n}\n`));
  }
  expect(shapesOf(JSON.parse(fs.readFileSync(file, "utf8")))).toEqual(shapesOf(recorded));
});
