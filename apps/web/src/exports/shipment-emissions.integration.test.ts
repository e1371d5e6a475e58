import { expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";

const app = started(() => startTestWeb({ withApi: true }));
const account = started(() => app.addAccount());
const visitor = started(() => app.visit(account));

/** A voyage from Shanghai to Hamburg that is reported for all containers. */
async function addVoyage(number: string, containers: readonly string[], equipmentLength: number | null) {
  const { prisma } = app.database;
  const shipment = await addShipment(app.database, account.id, { number, containers });
  const [subjectId, createdAt] = [uuidV7.next(), new Date("2026-06-01T00:00:00Z")];
  const subject = { accountId: account.id, id: subjectId, scac: "SBXL", kind: "bill_of_lading", number };
  await prisma.trackingSubject.create({ data: { ...subject, createdAt } });
  await prisma.shipment.updateMany({ where: { id: shipment.id }, data: { subjectId } });
  await prisma.container.updateMany({
    where: { shipmentId: shipment.id },
    data: { equipmentLength, equipmentType: "dry" },
  });
  const call = { mode: "VESSEL", vessel: { imo: null, name: "EVER GIVEN" }, importVoyage: "34E", exportVoyage: "34E" };
  const facts = [
    ["DEPA", "ACT", "2026-06-02T04:00:00.000Z", "CNSHA"],
    ["ARRI", "EST", "2026-07-05T10:00:00.000Z", "DEHAM"],
  ].map(([code, classifier, eventAt, locode]) => ({
    eventType: "TRANSPORT",
    code,
    classifier,
    eventAt,
    place: { locode, name: null },
    call,
    timePrecision: "exact",
    statedAt: null,
    sourceEventId: null,
    dataSource: "shipping_line",
    containerNumber: null,
    isEmpty: null,
    isoEquipmentCode: null,
    seals: [],
    documentType: null,
    documentId: null,
    reason: null,
    retracted: false,
  }));
  const stored = { accountId: account.id, subjectId, rawReplyId: uuidV7.next(), observedAt: createdAt };
  await prisma.observation.createMany({
    data: facts.map((fact) => ({ ...stored, id: uuidV7.next(), valueHash: Buffer.from(String(fact.code)), fact })),
  });
  return shipment;
}

async function exported(): Promise<ReadonlyMap<string | undefined, readonly (string | undefined)[]>> {
  const text = (await (await visitor.get("/shipments.csv")).text()).replace("\uFEFF", "").trim();
  const [head = [], ...rows] = text.split("\r\n").map((line) => line.split(","));
  const at = (row: readonly string[], column: string) => row[head.indexOf(column)];
  return new Map(
    rows.map((row) => [
      at(row, "bill_of_lading_number"),
      [at(row, "emissions_grams"), at(row, "emissions_unknown_reason")],
    ]),
  );
}

const gramsOf = async (containerId: string | undefined): Promise<number> => {
  const headers = { authorization: `Token ${account.token}` };
  const response = await fetch(`${app.apiBaseUrl}/containers/${containerId}/emissions`, { headers });
  const { data } = (await response.json()) as { data: { attributes: { totals: [{ grams: number }] } } };
  return data.attributes.totals[0].grams;
};

test("shipments are exported with the emissions of all containers, as the API computes each", async () => {
  const { containerIds } = await addVoyage("EMITS1", ["EMIU1000001", "EMIU1000002"], 40);
  await addVoyage("EMITS2", ["EMIU2000001"], null);
  await addShipment(app.database, account.id, { number: "EMITS3", containers: ["EMIU3000001"] });
  await addShipment(app.database, account.id, { number: "EMITS4" });
  for (const columns of (await exported()).values()) expect(columns).toEqual(["", "no_factor"]);
  await visitor.post("/account/emissions", {
    name: "Asia to Europe",
    energyScope: "well_to_wake",
    gramsPerTeuKm: "62.5",
    key: "",
    distanceBasis: "actual_distance",
    source: "Clean Cargo 2025",
    carrierScac: "",
    origins: "CN",
    destinations: "DE",
    vesselImo: "",
    equipment: "",
    validFrom: "",
    validUntil: "",
  });
  const each = await Promise.all(containerIds.map(gramsOf));
  expect(each[0]).toBeGreaterThan(1_000_000);
  expect([...(await exported())].toSorted()).toEqual([
    ["EMITS1", [String((each[0] ?? 0) + (each[1] ?? 0)), ""]],
    ["EMITS2", ["", "leg_missing"]],
    ["EMITS3", ["", "route_missing"]],
    ["EMITS4", ["", "containers_missing"]],
  ]);
});
