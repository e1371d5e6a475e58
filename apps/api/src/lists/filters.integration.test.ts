import { beforeAll, describe, expect, test } from "@jest/globals";
import { containerStatuses } from "@svc/domain/containers";
import { shipmentArrival, shipmentStatus, shipmentStatuses } from "@svc/domain/shipments";
import { started } from "@svc/testkit/started";
import fc from "fast-check";
import { insertContainer, insertShipment } from "../testing/rows.ts";
import { startTestApi } from "../testing/start-test-api.ts";

const api = started(startTestApi);

type Row = Readonly<Record<string, unknown>> & { readonly id: string };
const shipments: Row[] = [];
const containers: (Row & { readonly shipment: Row })[] = [];

const day = (number: number): Date => new Date(Date.UTC(2026, 9, number));
const pick = <Value>(values: readonly Value[], seed: number): Value => values[seed % values.length] as Value;

const account = started(() => api.createAccount());
beforeAll(async () => {
  const { prisma } = api.database;
  const ports = await prisma.port.findMany({ where: { locode: { in: ["CNSHA", "NLRTM", "USLAX", "SGSIN"] } } });
  for (let index = 0; index < 60; index++) {
    const row = {
      number: `N${index}`,
      createdAt: day(1 + (index % 20)),
      shippingLineScac: pick(["SBXL", "MAEU", "MSCU"], index * 7),
      portOfLadingId: pick([...ports.map(({ id }) => id), null], index),
      portOfDischargeId: pick([...ports.map(({ id }) => id), null], index * 3 + 1),
      destinationPortId: pick([...ports.map(({ id }) => id), null], index * 5 + 2),
      polEtdAt: pick([day(1), null], index),
      polAtdAt: pick([day(2), null, null], index * 5),
      podAtaAt: pick([day(3), null, null, null], index * 3),
      podEtaAt: pick([day(8), null], index * 3),
      destinationEtaAt: pick([day(12), null, null], index),
      destinationAtaAt: pick([day(4), null, null, null, null], index),
      tags: pick([[], ["urgent"], ["urgent", "gold"], ["gold"]], index),
      refNumbers: pick([[], ["PO-1"], ["PO-2", "po-1"]], index),
      ...(index % 4 === 0 && { lineTrackingStoppedAt: day(9), lineTrackingStoppedReason: "no_updates_at_line" }),
    };
    const shipment = { ...row, id: await insertShipment(api.database, account.id, row) };
    shipments.push(shipment);
    const container = {
      number: `SBXU${String(index).padStart(7, "0")}`,
      createdAt: day(1 + (index % 17)),
      currentStatus: pick(containerStatuses, index * 11),
      refNumbers: pick([["BOX"], []], index),
      pickupLfd: pick([day(5), day(15), null], index),
      holdsAtPodTerminal: pick([[], [{ name: "customs", status: "hold", description: null }]], index),
      availableForPickup: pick([true, false, null], index * 5),
    };
    containers.push({
      ...container,
      shipment,
      id: await insertContainer(api.database, account.id, shipment.id, container),
    });
  }
  const otherAccount = await api.createAccount();
  const otherShipmentId = await insertShipment(api.database, otherAccount.id, { tags: ["urgent"] });
  await insertContainer(api.database, otherAccount.id, otherShipmentId, { availableForPickup: true });
});

/** Brute force: what each filter means, in the plainest words. */
function shipmentFilters(
  ports: ReadonlyMap<string, string>,
): Record<string, [value: string, matches: (row: Row) => boolean][]> {
  const calls = (row: Row) =>
    [row.portOfLadingId, row.portOfDischargeId, row.destinationPortId].map((id) => ports.get(String(id)));
  const arrivalOf = (row: Row) => shipmentArrival(row as never) as Date | null;
  const statusOf = (row: Row) => shipmentStatus(row as never);
  return {
    status: shipmentStatuses.map((status) => [status, (row) => statusOf(row) === status]),
    port: [
      ["CNSHA", (row) => calls(row).includes("CNSHA")],
      ["nlrtm,USLAX", (row) => calls(row).includes("NLRTM") || calls(row).includes("USLAX")],
      ["CNSGH", (row) => calls(row).includes("CNSHA")],
    ],
    carrier: [
      ["MAEU", (row) => row.shippingLineScac === "MAEU"],
      ["MEDU,SBXL", (row) => row.shippingLineScac !== "MAEU"],
    ],
    created_after: [["2026-10-10", (row) => (row.createdAt as Date) > day(10)]],
    updated_after: [["2026-10-05T00:00:00Z", (row) => (row.createdAt as Date) > day(5)]],
    arrival_after: [["2026-10-04", (row) => (arrivalOf(row) ?? 0) > day(4)]],
    arrival_before: [
      ["2026-10-09", (row) => arrivalOf(row) !== null && (arrivalOf(row) as Date) < day(9)],
      ["9999-12-31T23:59:59.999Z", (row) => arrivalOf(row) !== null],
    ],
    number: [["n7,N8", (row) => row.number === "N7" || row.number === "N8"]],
    ref_number: [["PO-1", (row) => (row.refNumbers as string[]).includes("PO-1")]],
    tag: [["gold", (row) => (row.tags as string[]).includes("gold")]],
    tracking_stopped: [
      ["true", (row) => row.lineTrackingStoppedAt !== undefined],
      ["false", (row) => row.lineTrackingStoppedAt === undefined],
    ],
  };
}

const containerFilters: Record<string, [value: string, matches: (row: Row) => boolean][]> = {
  status: [
    ["on_ship,grounded", (row) => row.currentStatus === "on_ship" || row.currentStatus === "grounded"],
    ["new", (row) => row.currentStatus === "new"],
  ],
  number: [["sbxu 000-0007", (row) => row.number === "SBXU0000007"]],
  ref_number: [["BOX", (row) => (row.refNumbers as string[]).includes("BOX")]],
  created_after: [["2026-10-08", (row) => (row.createdAt as Date) > day(8)]],
  pickup_lfd_before: [["2026-10-10", (row) => row.pickupLfd !== null && (row.pickupLfd as Date) < day(10)]],
  has_holds: [
    ["true", (row) => (row.holdsAtPodTerminal as unknown[]).length > 0],
    ["false", (row) => (row.holdsAtPodTerminal as unknown[]).length === 0],
  ],
  available_for_pickup: [
    ["true", (row) => row.availableForPickup === true],
    ["false", (row) => row.availableForPickup !== true],
  ],
};

async function compare(
  path: string,
  rows: readonly Row[],
  filters: Record<string, [string, (row: Row) => boolean][]>,
  numRuns = 40,
): Promise<void> {
  const choices = Object.entries(filters).map(([name, values]) =>
    fc.option(fc.constantFrom(...values.map(([value, matches]) => ({ name, value, matches }))), { nil: null, freq: 1 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.tuple(...choices), async (chosen) => {
      const used = chosen.filter((choice) => choice !== null);
      const query = used.map(({ name, value }) => `filter[${name}]=${encodeURIComponent(value)}`).join("&");
      const { status, body } = await api.request(`${path}?page[size]=100&${query}`, { token: account.token });
      expect(status).toBe(200);
      const expected = rows.filter((row) => used.every(({ matches }) => matches(row))).map(({ id }) => id);
      expect([query, body.data.map(({ id }: { id: string }) => id).toSorted()]).toEqual([query, expected.toSorted()]);
      expect(body.meta.page.total).toBe(expected.length);
    }),
    { numRuns },
  );
}

describe("filters are what they say, alone and together", () => {
  test("select the same shipments as the definition of each filter [spec: J53, G7]", async () => {
    const ports = await api.database.prisma.port.findMany();
    const locodes = new Map(ports.map(({ id, locode }) => [id, locode]));
    const filters = shipmentFilters(locodes);
    for (const [name, values] of Object.entries(filters)) {
      for (const one of values) await compare("/shipments", shipments, { [name]: [one] }, 3);
    }
    await compare("/shipments", shipments, filters);
  }, 120_000);

  test("select the same containers, also by filters of their shipment [spec: J53, G7]", async () => {
    const ports = await api.database.prisma.port.findMany();
    const locodes = new Map(ports.map(({ id, locode }) => [id, locode]));
    const { port, carrier, tag, tracking_stopped } = shipmentFilters(locodes);
    const shipmentValues = Object.fromEntries(
      Object.entries({ port, carrier, tag, tracking_stopped }).map(([name, values]) => [
        name,
        (values ?? []).map(([value, matches]): [string, (row: Row) => boolean] => [
          value,
          (row) => matches(row.shipment as Row),
        ]),
      ]),
    );
    await compare("/containers", containers, { ...containerFilters, ...shipmentValues });
  }, 120_000);

  test("reads a list with one statement, planned for the values of its filters", async () => {
    api.takeStatements();
    await api.request("/shipments", { token: account.token });
    await api.request("/shipments?filter[tag]=gold", { token: account.token });
    await api.request("/shipments?filter[tag]=gold&filter[carrier]=SBXL", { token: account.token });
    expect(api.takeStatements()).toEqual([
      "shipments.list::created_at-number",
      "unnamed",
      "shipping-lines.catalogue",
      "unnamed",
    ]);
  });
});

test("find a tag or reference that contains a marked comma, and listed values", async () => {
  const { token, id } = await api.createAccount();
  const tags = [["Berlin, Mitte"], ["Berlin"], ["Rome"]];
  const ids = await Promise.all(tags.map((own) => insertShipment(api.database, id, { tags: own, refNumbers: own })));
  const found = async (name: string, text: string): Promise<number[]> => {
    const { body } = await api.request(`/shipments?${new URLSearchParams({ [name]: text })}`, { token });
    return body.data.map((shipment: { id: string }) => ids.indexOf(shipment.id)).toSorted();
  };
  for (const name of ["filter[tag]", "filter[ref_number]"]) {
    expect(await found(name, "Berlin\\, Mitte")).toEqual([0]);
    expect(await found(name, "Berlin\\, Mitte,Rome")).toEqual([0, 2]);
    expect(await found(name, "Berlin,Rome")).toEqual([1, 2]);
  }
  const byStatus = await api.request(`/shipments?${new URLSearchParams({ "filter[status]": "pending,in_transit" })}`, {
    token,
  });
  expect(byStatus.status).toBe(200);
});
