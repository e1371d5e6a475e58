import { beforeAll, describe, expect, test } from "@jest/globals";
import { CarrierConnection, createStoredReplyReader } from "@svc/carriers";
import { dayMs, instant } from "@svc/domain";
import { createSecretBox, uuidV7 } from "@svc/persistence";
import { createCarrierConnectionRepository } from "@svc/persistence/carrier-connections";
import { createContainerRepository } from "@svc/persistence/containers";
import { verify } from "@svc/replay";
import { started } from "@svc/testkit/started";
import { applyNextConnectionChange } from "../claim/apply-connection-changes.ts";
import { secretKey } from "../testing/tracking-setup.ts";
import { startVoyageHarness } from "../testing/voyage-harness.ts";

describe("arrival notices of a line that an account connects", () => {
  const harness = started(() => startVoyageHarness({ imitated: ["CMDU"] }));
  beforeAll(async () => {
    await connect();
  }, 300_000);

  const repository = () => createCarrierConnectionRepository(harness.database.sql, createSecretBox(secretKey));
  const applyChanges = async () => {
    while (await applyNextConnectionChange(harness.context));
  };
  async function connect() {
    const credentials = { kind: "api_key", headers: { KeyId: "demo-cmdu-key-id" } } as const;
    const connection = { id: uuidV7.next(), scac: "CMDU", credentials, active: true, pushSecret: "p" };
    await repository().create(harness.accountId, connection, harness.clock.now());
    await applyChanges();
  }
  async function disconnect() {
    const [connection] = await repository().findByScac(harness.accountId, ["CMDU"]);
    await repository().delete(harness.accountId, connection?.id ?? "", { now: harness.clock.now(), ifVersions: null });
    await applyChanges();
  }

  const bill = "CMDUDIR000001";
  interface Container {
    readonly number: string;
    readonly pickup_lfd_line: string | null;
    readonly arrived_at: string | null;
    readonly out_at: string | null;
  }
  const containers = () =>
    harness.rows<Container>(
      `SELECT c.number, c.pickup_lfd_line, c.pod_full_out_at AS out_at,
         COALESCE(c.pod_arrived_at, c.pod_discharged_at) AS arrived_at
       FROM containers c JOIN shipments s ON s.id = c.shipment_id
       WHERE c.account_id = $1 AND s.bill_of_lading_number = $2 ORDER BY c.number`,
      harness.accountId,
      bill,
    );
  const subjects = () =>
    harness.rows<{ id: string; due: string | null; last_attempted_at: string | null; eta: string | null }>(
      `SELECT t.id, t.next_poll_at AS due, t.last_attempted_at, s.pod_eta_at AS eta FROM tracking_subjects t
       JOIN containers c ON c.id::text = t.number JOIN shipments s ON s.id = c.shipment_id
       WHERE t.account_id = $1 AND t.scac = 'CMDU' AND t.kind = 'terminal_container'`,
      harness.accountId,
    );

  test("are due once for all containers of a bill of lading, from a day before its arrival", async () => {
    await harness.request(bill, { scac: "CMDU" });
    await harness.request("DIRB000014", { scac: "CMDU", requestType: "booking_number" });
    await harness.sail(2, 12);
    expect((await containers()).length).toBeGreaterThan(1);
    const booked = "SELECT 1 FROM shipments WHERE account_id = $1 AND number_kind = 'booking_number'";
    expect(await harness.rows(booked, harness.accountId)).toHaveLength(1);
    const [first, ...others] = await subjects();
    expect(others).toEqual([]);
    expect(first?.last_attempted_at).toBeNull();
    expect(Date.parse(first?.due ?? "")).toBe(Date.parse(first?.eta ?? "") - dayMs);
  }, 300_000);

  test("give the last free day of the line, once each, and are asked for daily until the pickup", async () => {
    let previous: string | null = null;
    const times: number[] = [];
    for (let half = 0; half < 100; half++) {
      await harness.sail(0.5, 12);
      const last =
        (await subjects())
          .map(({ last_attempted_at }) => last_attempted_at)
          .sort()
          .at(-1) ?? null;
      if (last !== null && last !== previous) times.push(Date.parse(last));
      previous = last;
    }
    const moved = await containers();
    for (const container of moved) {
      expect(container.pickup_lfd_line).not.toBeNull();
      expect(container.out_at).not.toBeNull();
    }
    const [from, to] = [times[0] ?? 0, times.at(-1) ?? 0];
    // Daily, and when the line reports a change: its arrival, the discharges and the pickups.
    expect(times.length).toBeGreaterThan(2);
    expect(times.length).toBeLessThan((to - from) / dayMs + 8);
    expect((await subjects()).map(({ due }) => due).filter((due) => due !== null)).toEqual([]);
    const [changed] = await harness.rows<{ count: number }>(
      `SELECT count(*)::int AS count FROM notification_events WHERE account_id = $1
         AND event = 'container.pickup_lfd_line.changed'`,
      harness.accountId,
    );
    expect(changed).toEqual({ count: moved.length });
  }, 600_000);

  test("are stored as evidence, read again like the reply, and no reports of a terminal", async () => {
    const stored = await harness.rows<{ url: string; count: number }>(
      `SELECT r.url, count(o.id)::int AS count FROM raw_replies r
         LEFT JOIN observations o ON o.raw_reply_id = r.id AND o.fact ->> 'documentType' = 'ARN'
       WHERE r.account_id = $1 AND r.url LIKE '%/arrival-notices?%' GROUP BY r.id, r.url`,
      harness.accountId,
    );
    expect(stored.length).toBeGreaterThan(0);
    expect(stored.every(({ url }) => url.includes("transportDocumentReferences="))).toBe(true);
    expect(stored.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThanOrEqual((await containers()).length);
    const connection = CarrierConnection.parse({
      scac: "CMDU",
      protocol: "dcsa-2.2",
      baseUrl: "https://line.test",
      arrivalNoticesUrl: "https://line.test/arrival-notices",
    });
    const read = createStoredReplyReader([connection], {
      timeZoneOf: harness.context.places.timeZoneOf,
      locodeOf: () => null,
    });
    const differences: unknown[] = [];
    const context = { read, places: harness.context.places };
    const total = await verify(harness.database, { subject: bill.slice(4) }, context, (found) =>
      differences.push(found),
    );
    const byBill = await verify(harness.database, { subject: bill }, context, (found) => differences.push(found));
    expect(total.shipments + byBill.shipments).toBeGreaterThan(0);
    expect(differences).toEqual([]);
    // A terminal was polled for the containers, too: only that counts as its check.
    const containerRepository = createContainerRepository(harness.database.sql);
    const ids = await harness.rows<{ id: string }>(
      "SELECT id FROM containers WHERE account_id = $1",
      harness.accountId,
    );
    const checks = async () => {
      const polledContainers = await Promise.all(ids.map(({ id }) => containerRepository.find(harness.accountId, id)));
      return polledContainers.map((container) => container?.terminalCheckedAt);
    };
    const before = await checks();
    const later = "UPDATE tracking_subjects SET last_succeeded_at = now() + interval '9 years' WHERE scac = $1";
    await harness.rows(later, "CMDU");
    expect(await checks()).toEqual(before);
  }, 300_000);

  test("that are refused neither end the polls for events nor are requested again at once", async () => {
    const injectFault = async (name: string) => {
      const init = { method: "PUT", headers: { "content-type": "application/json" }, body: `{"fault":"${name}"}` };
      expect((await fetch(`${harness.sandbox.url}/lines/cmdu/_fault`, init)).status).toBe(200);
    };
    const [{ id } = { id: "" }] = await subjects();
    await harness.rows("UPDATE tracking_subjects SET next_poll_at = NULL WHERE id <> $1", id);
    await harness.rows("UPDATE tracking_subjects SET next_poll_at = $2 WHERE id = $1", id, harness.clock.now());
    await harness.rows("UPDATE containers SET current_status = 'available' WHERE account_id = $1", harness.accountId);
    await harness.rows(
      "UPDATE shipments SET line_tracking_stopped_at = NULL, line_tracking_stopped_reason = NULL WHERE account_id = $1",
      harness.accountId,
    );
    await harness.poller.access.flush();
    const access = () =>
      harness.rows("SELECT * FROM carrier_access WHERE consecutive_failures > 0 OR open_until IS NOT NULL");
    expect(await access()).toEqual([]);
    await injectFault("forbidden");
    try {
      expect(await harness.pollDue()).toBe(1);
    } finally {
      await injectFault("none");
    }
    const [polled] = await harness.rows<{ failures: number; due: string }>(
      "SELECT consecutive_failures AS failures, next_poll_at AS due FROM tracking_subjects WHERE id = $1",
      id,
    );
    expect(polled?.failures).toBe(1);
    expect(Date.parse(polled?.due ?? "")).toBe(Date.parse(harness.clock.now()) + dayMs);
    expect(await access()).toEqual([]);
  });

  test("that are received do not close the circuit breaker of the polls for events", async () => {
    await harness.rows(
      "UPDATE tracking_subjects SET next_poll_at = $1 WHERE next_poll_at IS NOT NULL",
      harness.clock.now(),
    );
    await harness.poller.access.flush();
    const [before] = await harness.rows<{ credential: string; skipped_event_count: number }>(
      `UPDATE carrier_access SET consecutive_failures = 4 FROM carrier_connections n
       WHERE credential = n.id::text AND n.account_id = $1 RETURNING credential, skipped_event_count`,
      harness.accountId,
    );
    expect(await harness.pollDue()).toBe(1);
    await harness.poller.access.flush();
    const access = "SELECT consecutive_failures, skipped_event_count FROM carrier_access WHERE credential = $1";
    expect(await harness.row(access, before?.credential)).toEqual({
      consecutive_failures: 4,
      // The free time of a type that the standard does not name.
      skipped_event_count: (before?.skipped_event_count ?? 0) + 1,
    });
  });

  test("wait for a connection that is deleted and created again until the containers are picked up", async () => {
    const [{ id } = { id: "" }] = await subjects();
    const polled = () =>
      harness.row<{ due: string | null; last_attempted_at: string | null }>(
        "SELECT next_poll_at AS due, last_attempted_at FROM tracking_subjects WHERE id = $1",
        id,
      );
    const { last_attempted_at } = await polled();
    const pollUnconnected = async () => {
      await disconnect();
      expect((await polled()).due).toBe(harness.clock.now());
      while ((await harness.pollDue()) > 0);
      return polled();
    };
    const tomorrow = instant(Date.parse(harness.clock.now()) + dayMs);
    expect(await pollUnconnected()).toEqual({ due: tomorrow, last_attempted_at });
    await connect();
    expect((await polled()).due).toBe(harness.clock.now());
    // Neither a second subject, nor a time that only a change of the shipment would set.
    expect((await subjects()).filter(({ due }) => due !== null)).toHaveLength(1);
    // One that was never polled is due at once, too, when its vessel has arrived.
    await harness.rows("UPDATE tracking_subjects SET last_attempted_at = NULL WHERE id = $1", id);
    expect((await pollUnconnected()).due).toBe(tomorrow);
    await connect();
    expect(await polled()).toEqual({ due: harness.clock.now(), last_attempted_at: null });

    await harness.rows("UPDATE containers SET current_status = 'picked_up' WHERE account_id = $1", harness.accountId);
    expect((await pollUnconnected()).due).toBeNull();
  });
});
