import { describe, expect, test } from "@jest/globals";
import type { CarrierCredentials } from "@svc/domain/carrier-connections";
import { createSecretBox, uuidV7 } from "@svc/persistence";
import { createCarrierConnectionRepository } from "@svc/persistence/carrier-connections";
import { started } from "@svc/testkit/started";
import { applyNextConnectionChange } from "../claim/apply-connection-changes.ts";
import { secretKey } from "../testing/tracking-setup.ts";
import { startVoyageHarness } from "../testing/voyage-harness.ts";

const cmaCgm = { kind: "api_key", headers: { KeyId: "demo-cmdu-key-id" } } as const;
const apmTerminals = {
  kind: "oauth2_client_credentials",
  clientId: "demo-apmt-client-id",
  clientSecret: "demo-apmt-client-secret",
  scope: null,
  headers: {},
} as const;

describe("a terminal operator and a group of lines that an account connects", () => {
  const harness = started(() => startVoyageHarness({ imitated: ["CMDU", "APMT"] }));

  const repository = () => createCarrierConnectionRepository(harness.database.sql, createSecretBox(secretKey));
  const applyChanges = async () => {
    while (await applyNextConnectionChange(harness.context));
  };

  async function connect(
    scac: string,
    credentials: CarrierCredentials,
    accountId = harness.accountId,
  ): Promise<string> {
    const connection = { id: uuidV7.next(), scac, credentials, active: true, pushSecret: "p" };
    await repository().create(accountId, connection, harness.clock.now());
    await applyChanges();
    return connection.id;
  }

  interface Container {
    readonly number: string;
    readonly locode: string;
    readonly pickup_lfd_terminal: string | null;
    readonly availability_known: boolean | null;
    readonly current_status: string;
    readonly pod_full_out_at: string | null;
  }
  const containersAt = (locode: string) =>
    harness.rows<Container>(
      `SELECT c.*, p.locode FROM containers c JOIN shipments s ON s.id = c.shipment_id
       JOIN ports p ON p.id = s.port_of_discharge_id WHERE s.account_id = $1 AND p.locode = $2 ORDER BY c.number`,
      harness.accountId,
      locode,
    );
  const subjects = () =>
    harness.rows<{ due: string | null; connection_id: string | null; eta: string | null }>(
      `SELECT t.next_poll_at AS due, t.connection_id, s.pod_eta_at AS eta FROM tracking_subjects t
       JOIN containers c ON c.id::text = t.number JOIN shipments s ON s.id = c.shipment_id
       WHERE t.account_id = $1 AND t.scac = 'APMT' ORDER BY c.number`,
      harness.accountId,
    );
  /** An account without the connection, with the same shipments. */
  let other: string;

  test("is polled for containers that were tracked before, from a day before the arrival", async () => {
    await connect("CMDU", cmaCgm);
    other = await harness.newAccount();
    await connect("CMDU", cmaCgm, other);
    // Two voyages to Los Angeles, and one to Long Beach.
    for (const number of ["CMDUDIR000009", "CMDUDIR000014", "CMDUDIR000003"]) {
      await harness.request(number, { scac: "CMDU" });
      await harness.request(number, { scac: "CMDU", accountId: other });
    }
    await harness.sail(2, 12);
    expect(await subjects()).toEqual([]);
    const containers = await containersAt("USLAX");
    expect(containers.length).toBeGreaterThan(0);

    const connectionId = await connect("APMT", apmTerminals);
    const polled = await subjects();
    expect(polled).toHaveLength(containers.length);
    for (const { due, connection_id, eta } of polled) {
      expect(connection_id).toBe(connectionId);
      expect(Date.parse(due ?? "")).toBe(Math.max(Date.parse(eta ?? "") - 86_400_000, Date.parse(harness.clock.now())));
    }
  }, 300_000);

  test("gives availability, last free day and the gate-out, and only to the account that connected it", async () => {
    await harness.sail(50, 12);
    const containers = await containersAt("USLAX");
    for (const container of containers) {
      expect(container).toMatchObject({ availability_known: true, current_status: "empty_returned" });
      expect(container.pickup_lfd_terminal).not.toBeNull();
      expect(container.pod_full_out_at).not.toBeNull();
    }
    const [counts] = await harness.rows<{ terminal: number; other: number }>(
      `SELECT count(*) FILTER (WHERE account_id = $1)::int AS terminal,
         count(*) FILTER (WHERE account_id = $2)::int AS other
       FROM tracking_subjects WHERE scac = 'APMT'`,
      harness.accountId,
      other,
    );
    expect(counts).toEqual({ terminal: containers.length, other: 0 });
    const health = await repository().findByScac(harness.accountId, ["APMT"]);
    expect(health[0]?.health).toMatchObject({ failures: 0, rejections: 0, unrecognized: 0 });
    // The imitation reports an event that the documentation does not name.
    expect(health[0]?.health.skippedEvents).toBeGreaterThan(0);
  }, 300_000);

  test("notifies each change of a container once, although the state has no time since when", async () => {
    const events = await harness.rows<{ event: string; count: number }>(
      `SELECT e.event, count(*)::int AS count FROM notification_events e
       WHERE e.account_id = $1 AND e.event IN ('container.transport.available', 'container.pickup_lfd_terminal.changed',
         'container.transport.full_out') GROUP BY e.event ORDER BY e.event`,
      harness.accountId,
    );
    const { length } = await containersAt("USLAX");
    const all = await harness.rows("SELECT id FROM containers WHERE account_id = $1", harness.accountId);
    expect(events).toEqual([
      { event: "container.pickup_lfd_terminal.changed", count: length },
      { event: "container.transport.available", count: length },
      { event: "container.transport.full_out", count: all.length },
    ]);
  });

  test("a brand of a group is polled with the account's connection and limits", async () => {
    const brandRows = () =>
      harness.rows<{ connection_id: string | null; last_found_at: string | null }>(
        "SELECT connection_id, last_found_at FROM tracking_subjects WHERE account_id = $1 AND scac IN ('APLU', 'ANNU')",
        harness.accountId,
      );
    const [connection] = await repository().findByScac(harness.accountId, ["CMDU"]);
    const requestsOf = async () =>
      (await repository().find(harness.accountId, connection?.id ?? ""))?.health.answers ?? 0;
    await harness.poller.access.flush();
    const before = await requestsOf();
    await harness.request("DIR000020", { scac: "APLU" });
    await harness.request("DIR000030", { scac: "ANNU" });
    await harness.pollDue();
    await harness.poller.access.flush();
    expect(await brandRows()).toEqual(
      [0, 1].map(() => ({ connection_id: connection?.id, last_found_at: expect.anything() })),
    );
    expect((await requestsOf()) - before).toBeGreaterThanOrEqual(2);

    // Disconnecting the carrier disconnects its brands, too.
    await repository().edit(
      harness.accountId,
      connection?.id ?? "",
      { active: false },
      { now: harness.clock.now(), ifVersions: null },
    );
    await applyChanges();
    expect((await brandRows()).map(({ connection_id }) => connection_id)).toEqual([null, null]);
    await repository().edit(
      harness.accountId,
      connection?.id ?? "",
      { active: true },
      { now: harness.clock.now(), ifVersions: null },
    );
    await applyChanges();
    expect((await brandRows()).map(({ connection_id }) => connection_id)).toEqual([connection?.id, connection?.id]);
  });

  test("is tried daily while the account has disconnected it, and polled again when it is connected", async () => {
    await harness.request("CMDUDIR000015", { scac: "CMDU" });
    await harness.sail(1, 12);
    const due = async () => (await subjects()).filter((subject) => subject.due !== null);
    const before = await due();
    expect(before.length).toBeGreaterThan(0);
    const attempts = () =>
      harness.rows(
        `SELECT id, last_attempted_at FROM tracking_subjects WHERE scac = 'APMT' AND next_poll_at IS NOT NULL
         ORDER BY id`,
      );
    const attemptsBefore = await attempts();
    const [connection] = await repository().findByScac(harness.accountId, ["APMT"]);
    await repository().delete(harness.accountId, connection?.id ?? "", { now: harness.clock.now(), ifVersions: null });
    await applyChanges();
    // Polls of containers that were picked up end.
    await harness.rows("UPDATE tracking_subjects SET next_poll_at = $1 WHERE scac = 'APMT'", harness.clock.now());
    while ((await harness.pollDue()) > 0);
    const tomorrow = Date.parse(harness.clock.now()) + 86_400_000;
    expect(await due()).toEqual(before.map(() => expect.objectContaining({ connection_id: null })));
    expect((await due()).map(({ due: at }) => Date.parse(at ?? ""))).toEqual(before.map(() => tomorrow));
    expect(await attempts()).toEqual(attemptsBefore);
    await connect("APMT", apmTerminals);
    expect((await due()).map(({ due: at }) => at)).toEqual(before.map(({ due: at }) => at));
  }, 300_000);
});
