import { beforeAll, describe, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { startVoyageHarness } from "../testing/voyage-harness.ts";

interface NotifiedEvent {
  readonly event: string;
  readonly container: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

const numbers = ["SBXHLD000001", "SBXROL000001", "SBXDLY000001", "SBXRAI000001", "SBXARW000001"];

describe("terminals of the sandbox, polled over HTTP", () => {
  const firstContainers = new Map<string, string>();

  const harness = started(startVoyageHarness);
  beforeAll(async () => {
    for (const number of numbers) await harness.track(number);
    await harness.sail(60, 12);
    const rows = await harness.rows<{ number: string; box: string }>(
      `SELECT s.normalized_number AS number, c.id AS box FROM shipments s JOIN containers c ON c.shipment_id = s.id
       ORDER BY c.number DESC`,
    );
    for (const { number, box } of rows) firstContainers.set(number, box);
  }, 300_000);

  /** The notification events of the first container of a shipment, in order. */
  async function notificationsOf(number: string): Promise<NotifiedEvent[]> {
    const events = await harness.rows<{ event: string; reference_id: string; included: string }>(
      "SELECT event, reference_id, included FROM notification_events WHERE account_id = $1 ORDER BY id",
      harness.accountId,
    );
    return events.flatMap(({ event, reference_id, included }) => {
      const all = JSON.parse(included) as {
        id: string;
        attributes: Record<string, unknown>;
        relationships?: Record<string, { data?: { id: string } }>;
      }[];
      const reference = all.find(({ id }) => id === reference_id);
      const container = reference?.relationships?.container?.data?.id;
      return container !== undefined && container === firstContainers.get(number) && reference
        ? [{ event, container, attributes: reference.attributes }]
        : [];
    });
  }
  const names = (events: readonly NotifiedEvent[], prefix: string) =>
    events.map(({ event }) => event).filter((event) => event.startsWith(prefix));
  const changes = (events: readonly NotifiedEvent[], field: string) =>
    events.flatMap(({ event, attributes }) => {
      const changeset =
        event === "container.updated" ? (attributes.changeset as Record<string, [unknown, unknown] | undefined>) : {};
      const change = changeset[field];
      return change === undefined ? [] : [change];
    });

  test("notifies a customs hold once when it is placed and once when it is released", async () => {
    const events = await notificationsOf("SBXHLD000001");
    const hold = { name: "customs", status: "hold", description: "CUSTOMS EXAM - HOLD" };
    expect(changes(events, "holds_at_pod_terminal").map(([before, after]) => [before, after])).toEqual(
      expect.arrayContaining([
        [expect.anything(), [hold]],
        [[hold], []],
      ]),
    );
    expect(names(events, "container.transport.available")).toHaveLength(2);
    expect(names(events, "container.transport.not_available")).toHaveLength(1);
    expect(changes(events, "fees_at_pod_terminal").map(([, after]) => after)).toContainEqual([
      { type: "exam", amount: 385, currency_code: "USD" },
    ]);
  });

  test("unpaid freight keeps the container unavailable until the carrier releases it", async () => {
    const events = await notificationsOf("SBXROL000001");
    expect(changes(events, "holds_at_pod_terminal").map(([, after]) => after)).toEqual([
      [{ name: "freight", status: "hold", description: "LINE RELEASE REQUIRED" }],
      [],
    ]);
    expect(names(events, "container.transport.available")).toHaveLength(1);
    expect(names(events, "container.transport.not_available")).toHaveLength(0);
  });

  test("notifies a changed last free day with its own event, and the effective one when it changes", async () => {
    const events = await notificationsOf("SBXDLY000001");
    expect(names(events, "container.pickup_lfd_terminal.changed")).toHaveLength(2);
    expect(names(events, "container.pickup_lfd_line.changed")).toHaveLength(1);
    expect(names(events, "container.pickup_lfd.changed")).toHaveLength(1);
    expect(names(events, "container.pickup_appointment.changed")).toHaveLength(1);
    const [row] = await harness.rows<Record<string, unknown>>(
      "SELECT * FROM containers WHERE id = $1",
      firstContainers.get("SBXDLY000001"),
    );
    expect(row?.pickup_lfd).toEqual(row?.pickup_lfd_line);
  });

  test("takes berthing, availability and the gate-out with its chassis from the terminal", async () => {
    const events = await notificationsOf("SBXDLY000001");
    expect(names(events, "container.transport.")).toEqual(
      expect.arrayContaining([
        "container.transport.vessel_berthed",
        "container.transport.available",
        "container.transport.full_out",
      ]),
    );
    expect(names(events, "container.transport.full_out")).toHaveLength(1);
    const [row] = await harness.rows<Record<string, unknown>>(
      "SELECT * FROM containers WHERE id = $1",
      firstContainers.get("SBXDLY000001"),
    );
    expect(row?.pod_full_out_chassis_number).toMatch(/^SBXZ\d{6}$/);
    expect(row).toMatchObject({ availability_known: true, available_for_pickup: false });
  });

  test("takes the last free day of the railway for the inland terminal", async () => {
    const events = await notificationsOf("SBXRAI000001");
    expect(names(events, "container.pickup_lfd_rail.changed")).toHaveLength(1);
    const [row] = await harness.rows<Record<string, unknown>>(
      `SELECT c.*, s.destination_metro_area_id FROM containers c JOIN shipments s ON s.id = c.shipment_id WHERE c.id = $1`,
      firstContainers.get("SBXRAI000001"),
    );
    expect(row?.destination_metro_area_id).not.toBeNull();
    expect(row?.pickup_lfd_rail).not.toBeNull();
    expect(names(events, "container.transport.available")).toHaveLength(1);
  });

  test("a container that is not picked up accrues more demurrage every day", async () => {
    const events = await notificationsOf("SBXARW000001");
    const amounts = changes(events, "fees_at_pod_terminal").map(
      ([, after]) => (after as { amount: number }[])[0]?.amount ?? 0,
    );
    expect(amounts.length).toBeGreaterThan(5);
    expect(amounts).toEqual(amounts.toSorted((a, b) => a - b));
    const [row] = await harness.rows<Record<string, unknown>>(
      "SELECT * FROM containers WHERE id = $1",
      firstContainers.get("SBXARW000001"),
    );
    expect(row).toMatchObject({ current_status: "available", available_for_pickup: true });
  });
});
