import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "@jest/globals";
import { type WebhookEventName, webhookEventNames } from "@svc/domain/webhooks";
import { started } from "@svc/testkit/started";
import { startVoyageHarness } from "../testing/voyage-harness.ts";

/** Together they cause every kind of event that voyages can cause. */
const numbers = [
  "SBXTS2000001",
  "SBXRAI000001",
  "SBXHLD000001",
  "SBXOMT000001",
  "SBXSPL000001",
  "SBXROL000001",
  "SBXNFD000001",
];

/** Kinds that no carrier or terminal data causes, and why. */
const neverCaused: Partial<Readonly<Record<WebhookEventName, string>>> = {
  "container.transport.delivered": "a person says so, not a feed, and no operation of the API takes it",
  "container.demurrage.changed":
    "sent when a demurrage rule of the account charges a container; webhooks have to name it",
  "exception.opened": "sent when the exception rules find a condition; webhooks have to name it",
  "exception.resolved": "sent when the exception rules find a condition; webhooks have to name it",
  "webhook.failing": "sent by the webhook worker when the health of an endpoint changes",
  "webhook.deactivated": "sent by the webhook worker when the health of an endpoint changes",
  "webhook.recovered": "sent by the webhook worker when the health of an endpoint changes",
};

const page = fileURLToPath(new URL("../../../../docs/webhooks/events.md", import.meta.url));

const harness = started(startVoyageHarness);
/** Notified events by tracked number. */
const notificationsByEvent = new Map<string, ReadonlySet<string>>();
const accounts = new Map<string, string>();

beforeAll(async () => {
  for (const number of numbers) {
    const accountId = await harness.newAccount();
    accounts.set(number, accountId);
    await harness.subscribe(["*"], accountId);
    await harness.request(number, { accountId, scac: "SBXL" });
  }
  await harness.sail(50, 12);
  for (const [number, accountId] of accounts) {
    const rows = await harness.rows<{ event: string }>(
      "SELECT DISTINCT event FROM notification_events WHERE account_id = $1",
      accountId,
    );
    notificationsByEvent.set(number, new Set(rows.map(({ event }) => event)));
  }
});

test("the voyages of the sandbox notify every kind of event that carrier data can cause", () => {
  const notified = new Set(numbers.flatMap((number) => [...(notificationsByEvent.get(number) ?? [])]));
  expect([...notified].toSorted()).toEqual(webhookEventNames.filter((name) => !(name in neverCaused)).toSorted());
});

test("documents every kind, with a number that causes it or the reason why none does", () => {
  const rows = [...fs.readFileSync(page, "utf8").matchAll(/^\| `([\w.]+)` \| (.+) \|$/gm)];
  expect(rows.map(([, event]) => event)).toEqual(webhookEventNames);
  const wrong = rows.filter(([, event = "", label = ""]) => {
    const reason = neverCaused[event as WebhookEventName];
    return reason === undefined
      ? !notificationsByEvent.get(label.replaceAll("`", ""))?.has(event)
      : label !== `– ${reason}`;
  });
  expect(wrong.map(([line]) => line)).toEqual([]);
});

interface Included {
  readonly id: string;
  readonly type: string;
  readonly attributes: Readonly<Record<string, string | null>>;
  readonly relationships?: { readonly vessel?: { readonly data: { readonly id: string } | null } };
}

test("an ETA of a container that arrives separately is notified with its own vessel and voyage", async () => {
  const rows = await harness.rows<{ included: Included[] }>(
    `SELECT included::jsonb AS included FROM notification_events
     WHERE account_id = $1 AND event = 'container.transport.estimated.vessel_arrived' ORDER BY created_at`,
    accounts.get("SBXSPL000001") ?? "",
  );
  const separate = rows.flatMap(({ included }) => {
    const findIncluded = (type: string, id?: string) =>
      included.find((one) => one.type === type && (!id || one.id === id));
    const [event, container] = [findIncluded("transport_event"), findIncluded("container")];
    const vessel = findIncluded("vessel", event?.relationships?.vessel?.data?.id ?? "none");
    const own = container?.attributes;
    return own?.pod_eta_at
      ? [
          {
            notified: [event?.attributes.timestamp, event?.attributes.voyage_number, vessel?.attributes.name],
            own: [own.pod_eta_at, own.pod_voyage_number, own.pod_vessel_name],
          },
        ]
      : [];
  });
  expect(separate.length).toBeGreaterThan(0);
  for (const { notified, own } of separate) expect(notified).toEqual(own);
});
