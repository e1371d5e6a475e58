import { beforeAll, describe, expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const app = started(() => startTestWeb({ withApi: true }));
let cookie: string;

const account = started(() => app.addAccount());
beforeAll(async () => {
  cookie = await app.logIn(account);
});

async function page(path: string, status = 200): Promise<string> {
  const response = await app.request(path, { headers: { cookie, accept: "text/html" } });
  expect(response.status).toBe(status);
  return response.text();
}

const fact = (more: object) => ({
  eventType: "TRANSPORT",
  code: "DEPA",
  classifier: "EST",
  eventAt: "2026-06-01T20:00:00.000Z",
  timePrecision: "exact",
  statedAt: null,
  sourceEventId: null,
  dataSource: "shipping_line",
  containerNumber: null,
  isEmpty: null,
  isoEquipmentCode: null,
  seals: [],
  place: {
    locode: "CNSHA",
    name: "SHANGHAI PORT",
    facilityCode: "CNSHAYT",
    facilityCodeProvider: null,
    facilityType: null,
  },
  call: {
    reference: null,
    mode: "VESSEL",
    vessel: { imo: null, name: "EVER TEST" },
    exportVoyage: "012W",
    importVoyage: null,
    sequence: null,
  },
  documentType: null,
  documentId: null,
  reason: null,
  isRetraction: false,
  ...more,
});

/** A shipment with one container that has raw events and derived values. */
async function trackedContainer(text: string, accountId = account.id) {
  const { prisma } = app.database;
  const number = `${text.replace(/[^A-Z0-9]/g, "").slice(0, 6)}U${String(Math.floor(Math.random() * 1e7)).padStart(7, "0")}`;
  const { id, containerIds } = await addShipment(app.database, accountId, {
    number: `BL${number}`,
    refNumbers: [text],
    containers: [number],
  });
  const [containerId = ""] = containerIds;
  const now = new Date("2026-06-02T05:00:00Z");
  const [subjectId, partyId, vesselId, definitionId] = [uuidV7.next(), uuidV7.next(), uuidV7.next(), uuidV7.next()];
  await prisma.trackingSubject.create({
    data: { id: subjectId, accountId, scac: "SBXL", kind: "bill_of_lading", number: `BL${number}`, createdAt: now },
  });
  await prisma.party.create({ data: { accountId, id: partyId, companyName: text, createdAt: now, updatedAt: now } });
  await prisma.vessel.create({ data: { id: vesselId, name: text } });
  await prisma.shipment.updateMany({
    where: { id },
    data: { subjectId, customerId: partyId, podVesselId: vesselId, podVoyageNumber: text, tags: [text] },
  });
  await prisma.transportEvent.updateMany({ where: { shipmentId: id }, data: { vesselId, voyageNumber: text } });
  await prisma.container.updateMany({
    where: { id: containerId },
    data: {
      sealNumber: text,
      refNumbers: [text],
      locationAtPodTerminal: text,
      equipmentType: text,
      podRailCarrierScac: text,
      podFullOutChassisNumber: text,
      availabilityKnown: true,
      availableForPickup: true,
      pickupLfd: new Date("2026-07-09T22:00:00Z"),
      pickupLfdTerminal: new Date("2026-07-09T22:00:00Z"),
      pickupLfdLine: new Date("2026-07-11T22:00:00Z"),
      holdsAtPodTerminal: [{ name: `customs ${text}`, status: "hold", description: text }],
      feesAtPodTerminal: [{ type: "demurrage", amount: 120, currencyCode: "USD" }],
    },
  });
  await prisma.observation.createMany({
    data: [
      fact({ reason: text, place: { ...fact({}).place, name: text, facilityCode: text } }),
      fact({
        eventAt: "2026-05-30T20:00:00.000Z",
        classifier: "PLN",
        call: { ...fact({}).call, vessel: { imo: null, name: text }, exportVoyage: text },
      }),
    ].map((stated, index) => ({
      id: uuidV7.next(),
      accountId,
      subjectId,
      rawReplyId: uuidV7.next(),
      fact: stated,
      observedAt: now,
      valueHash: Buffer.from([index]),
    })),
  });
  const facts = { accountId, rule: "E12 estimated.vessel_arrived", dataSource: "terminal", validFrom: now };
  await prisma.fieldFact.createMany({
    data: [
      {
        ...facts,
        id: uuidV7.next(),
        subjectType: "container",
        subjectId: containerId,
        field: "pickupLfd",
        value: "2026-07-09T22:00:00.000Z",
      },
      {
        ...facts,
        id: uuidV7.next(),
        subjectType: "container",
        subjectId: containerId,
        field: "sealNumber",
        value: text,
        rule: text,
      },
      {
        ...facts,
        id: uuidV7.next(),
        subjectType: "shipment",
        subjectId: id,
        field: "podEtaAt",
        value: "2026-07-02T10:00:00.000Z",
        supersededAt: now,
      },
      {
        ...facts,
        id: uuidV7.next(),
        subjectType: "shipment",
        subjectId: id,
        field: "podEtaAt",
        value: "2026-07-05T10:00:00.000Z",
      },
    ],
  });
  await prisma.customFieldDefinition.create({
    data: {
      accountId,
      id: definitionId,
      entityType: "Container",
      apiSlug: `slug_${containerId.slice(-6)}`,
      displayName: text,
      dataType: "short_text",
      createdAt: now,
      updatedAt: now,
      fields: {
        create: {
          id: uuidV7.next(),
          entityType: "Container",
          entityId: containerId,
          value: text,
          createdAt: now,
          updatedAt: now,
        },
      },
    },
  });
  return { id, containerId, number };
}

describe("a container's pages", () => {
  test("show pickup data, the source of each value, and the history of changes", async () => {
    const { id, containerId, number } = await trackedContainer("QUIET");
    const pageText = visibleText(await page(`/containers/${containerId}`));
    expect(pageText).toContain("Yes, but it is held");
    expect(pageText).toContain("Customs QUIET: held QUIET");
    expect(pageText).toContain("Demurrage 120.00 USD");
    expect(pageText).toMatch(/ Fri, 10 Jul 2026 \d+ days ago by the terminal by the carrier: Sun, 12 Jul 2026/);
    expect(pageText).toContain("Terminal, known since Tue, 2 Jun 2026, 05:00 UTC . Rule: Estimated vessel arrived.");
    expect(pageText).toContain("Vessel departed latest Tue 2 Jun, 12:00 GMT+8");
    expect(pageText).toContain("Last free day (carrier first) Fri, 10 Jul 2026 Terminal");
    expect(pageText).toContain("Copy the number Raw carrier events Arrival overdue at Hamburg Sun, 5 Jul 2026");
    expect(pageText).toContain("Shanghai → Hamburg Sandbox Line SBXL Shipment BLQUIET");
    expect(pageText).toMatch(/References .* QUIET\w* QUIET/);
    const shipmentText = visibleText(await page(`/shipments/${id}`));
    expect(shipmentText).toContain(`${number} In transit`);
    expect(shipmentText).toContain("1 change since ");
  });

  test("list raw events of the sources, and show an empty state without any", async () => {
    const { containerId } = await trackedContainer("STATED");
    const pageText = visibleText(await page(`/containers/${containerId}/raw-events`));
    expect(pageText).toContain(
      "Estimated departure DEPA of the whole shipment Vessel departure STATED Tue, 2 Jun 2026, 04:00 GMT+8 STATED STATED EVER TEST, 012W",
    );
    expect(pageText).toContain("Planned departure DEPA");
    const silent = await addShipment(app.database, account.id, { number: "SILENT1", containers: ["SILU1000001"] });
    expect(visibleText(await page(`/containers/${silent.containerIds[0]}/raw-events`))).toContain(
      "No carrier events yet",
    );
  });

  test("answer 404 alike for unknown ids, malformed ids and ids of another account", async () => {
    const other = await app.addAccount();
    const { containerId } = await trackedContainer("THEIRS", other.id);
    for (const id of [containerId, uuidV7.next(), "1%27", "%00"]) {
      for (const path of [`/containers/${id}`, `/containers/${id}/raw-events`]) {
        expect(visibleText(await page(path, 404))).not.toContain("THEIRS");
      }
    }
  });

  test("escape every text of users, carriers and terminals", async () => {
    const nasty = `"><script>alert(1)</script><img src=x onerror='x'>`;
    const { id, containerId } = await trackedContainer(nasty);
    for (const path of [
      `/shipments/${id}`,
      `/containers/${containerId}`,
      `/containers/${containerId}/raw-events`,
      "/shipments",
    ]) {
      const markup = (await page(path)).replace(
        /<script type="module" src="\/assets\/web\.[0-9a-f]{16}\.js"><\/script>/,
        "",
      );
      expect(markup).not.toMatch(/<script|<img|onerror='/);
      expect(markup).toContain("&lt;script&gt;");
      expect(markup).not.toMatch(/ style=|<style/);
    }
  });
});

test("an appointment after the last free day is marked, on the clock of the place of pickup", async () => {
  const { containerIds } = await addShipment(app.database, account.id, {
    number: "APPT1",
    containers: ["APPU1000001"],
  });
  const [id = ""] = containerIds;
  // The end of 10 July at the port of discharge.
  const pickupLfd = new Date("2026-07-10T21:59:00Z");
  const textWith = async (pickupAppointmentAt: Date, path: string) => {
    await app.database.prisma.container.updateMany({ where: { id }, data: { pickupLfd, pickupAppointmentAt } });
    return visibleText(await page(path));
  };
  for (const path of ["/containers", `/containers/${id}`]) {
    const isMarked = /1 d too late|ppointment .* after the last free day/;
    expect(await textWith(new Date("2026-07-11T06:00:00Z"), path)).toMatch(isMarked);
    expect(await textWith(new Date("2026-07-10T06:00:00Z"), path)).not.toMatch(isMarked);
  }
});

test("the page of a container names the other tracked shipments that have it", async () => {
  const [number, bill] = ["TWCU0000001", "ALSOIN1"];
  const billShipment = await addShipment(app.database, account.id, { number: bill, containers: [number] });
  const containerShipment = await addShipment(app.database, account.id, { number, containers: [number] });
  const read = (id = "") => page(`/containers/${id}`);
  expect(visibleText(await read(billShipment.containerIds[0]))).toContain(`Also in shipment ${number}`);
  expect(await read(containerShipment.containerIds[0])).toMatch(
    new RegExp(`Also in shipment <a class="number" href="/shipments/${billShipment.id}">${bill}</a>`),
  );
  await app.database.prisma.shipment.updateMany({
    where: { accountId: account.id, id: billShipment.id },
    data: { lineTrackingStoppedAt: new Date(), lineTrackingStoppedReason: "no_updates_at_line" },
  });
  expect(await read(containerShipment.containerIds[0])).not.toContain("Also in shipment");
});
