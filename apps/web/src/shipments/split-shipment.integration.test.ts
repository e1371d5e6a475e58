import { beforeAll, expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { addObservations } from "../testing/add-observation.ts";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const app = started(() => startTestWeb({ withApi: true }));
let headers: Readonly<Record<string, string>>;

const account = started(() => app.addAccount());
beforeAll(async () => {
  headers = { cookie: await app.logIn(account), accept: "text/html" };
});

test("shows of each container of a split shipment its own estimate and vessel", async () => {
  const { prisma } = app.database;
  const numbers = ["PASU1000001", "PASU1000002"];
  const { id, containerIds } = await addShipment(app.database, account.id, { number: "PAGES", containers: numbers });
  const createdAt = new Date("2026-06-01T00:00:00Z");
  const reported = { code: "ARRI", classifier: "EST", at: "2026-06-28T10:00:00.000Z", locode: "DEHAM" } as const;
  await addObservations(app.database, account.id, { id, number: "PAGES" }, [
    { ...reported, containerNumber: numbers[0], vessel: "EVER GIVEN", voyage: "034E" },
  ]);
  const eta = { accountId: account.id, subjectType: "shipment", subjectId: id, field: "podEtaAt" };
  const source = { rule: "E12 estimated.vessel_arrived split_arrival", dataSource: "shipping_line" };
  const value = "2026-07-05T10:00:00.000Z";
  await prisma.fieldFact.create({ data: { ...eta, ...source, id: uuidV7.next(), value, validFrom: createdAt } });
  const [first, last] = await Promise.all(
    containerIds.map(async (one) =>
      visibleText(await (await app.request(`/shipments/${id}?container=${one}`, { headers })).text()),
    ),
  );
  expect(first).toContain("Hamburg Vessel arrival ETA Sun 28 Jun, 12:00 CEST");
  expect(first).toContain("EVER GIVEN, voyage 034E");
  expect(last).toContain("Hamburg Vessel arrival ETA Sun 5 Jul, 12:00 CEST");
  expect(last).not.toContain("EVER GIVEN");
  const set = (one: string | undefined, podEtaAt: string) =>
    prisma.container.updateMany({ where: { id: one ?? "" }, data: { podEtaAt: new Date(podEtaAt) } });
  await set(containerIds[0], "2026-06-28T10:00:00Z");
  await set(containerIds[1], value);
  const [firstPage, lastPage] = await Promise.all(containerIds.map((one) => read(`/containers/${one}`)));
  expect(firstPage).not.toContain("Unchanged since");
  expect(firstPage).toContain("The history of the last container is on the page of the shipment");
  expect(lastPage).toContain("Unchanged since 1 Jun");
  const changed = { ...eta, ...source, subjectType: "container", subjectId: containerIds[0] ?? "" };
  const ownSince = new Date("2026-06-05T00:00:00Z");
  const own = { ...changed, id: uuidV7.next(), value: "2026-06-28T10:00:00.000Z", validFrom: ownSince };
  await prisma.fieldFact.create({ data: own });
  const [firstChosen, lastChosen] = await Promise.all(
    containerIds.map((one) => read(`/shipments/${id}?container=${one}`)),
  );
  expect(firstChosen).toContain("ETA history · Hamburg · PASU1000001 Last container: PASU1000002");
  expect(firstChosen).toContain("1 change since 1 Jun, 7 days earlier.");
  expect(lastChosen).toContain("ETA history · Hamburg · last container PASU1000002");
  expect(first).toContain("Route of PASU1000001");
  for (const pageText of [first, last]) expect(pageText).toContain("Last container overdue at Hamburg Sun, 5 Jul 2026");
});

/** Two containers arrived on PELICAN on their day, and the third is at sea on AURORA, a day late. */
async function addSplit(number: string, containers: readonly string[]) {
  const { prisma } = app.database;
  const { id, containerIds } = await addShipment(app.database, account.id, { number, containers });
  const at = (day: number) => new Date(Date.UTC(2026, 11, day, 12));
  const [one, two, last] = containerIds;
  const set = (ids: readonly (string | undefined)[], data: object) =>
    prisma.container.updateMany({ where: { id: { in: ids.flatMap((one) => one ?? []) } }, data });
  const pelican = { podVesselName: "SBX PELICAN", podVoyageNumber: "752E", podEtaAt: at(15), podOriginalEtaAt: at(15) };
  const aurora = { podVesselName: "SBX AURORA", podVoyageNumber: "753E", podEtaAt: at(20), podOriginalEtaAt: at(19) };
  await set([one, two], { ...pelican, podArrivedAt: at(15) });
  await set([last], aurora);
  const shipmentTimes = { podEtaAt: at(20), podOriginalEtaAt: at(19), podAtaAt: at(15), podVoyageNumber: "753E" };
  await prisma.shipment.updateMany({ where: { id }, data: shipmentTimes });
  const arrive = () => set([last], { podArrivedAt: at(21) });
  const pickUp = async () => {
    await set([one, two, last], { podFullOutAt: at(23), finalDestinationFullOutAt: at(23) });
    await prisma.shipment.updateMany({ where: { id }, data: { containersPickedUp: true } });
  };
  return { id, containerIds, arrive, pickUp };
}

const read = async (path: string) => visibleText(await (await app.request(path, { headers })).text());

test("a split shipment has not arrived while one of its containers is at sea", async () => {
  const { id, containerIds, arrive, pickUp } = await addSplit("SPLIT1", ["SPLU1000001", "SPLU1000002", "SPLU1000003"]);
  const page = await read(`/shipments/${id}`);
  expect(page).toMatch(/SPLIT1 At terminal \(2 of 3\)/);
  expect(page).toMatch(
    /2 of 3 containers arrived Last container (?:arrives|overdue) at Hamburg Sun, 20 Dec 2026.* 1 day late/,
  );
  expect(page).not.toContain("early");
  expect(page).toContain("Arrived at port (2 of 3) ETA Sun, 20 Dec 2026");
  expect(page).toContain(
    "The containers travel separately: 2 on SBX PELICAN 752E arrived Tue, 15 Dec 2026 ; " +
      "1 on SBX AURORA 753E arrives Sun, 20 Dec 2026 .",
  );
  expect(page).toContain("2 vessels: SBX PELICAN 752E, SBX AURORA 753E");
  expect(page).toMatch(/First departure \(ATD\).*ETA of the last container.*Arrival of the first container \(ATA\)/);
  const last = await read(`/shipments/${id}?container=${containerIds[2]}`);
  expect(last).toContain("Hamburg Vessel arrival ETA Sun 20 Dec, 13:00 CET");
  expect(last).toContain("SBX AURORA, voyage 753E");
  const row = await read("/shipments?q=SPLIT1");
  expect(row).toMatch(
    /SPLIT1 At terminal \(2 of 3\) Arrived at port Shanghai → Hamburg 2 vessels · arrival of the last/,
  );
  expect(row).toMatch(/20 Dec.* ETA · 1 d late/);
  const csv = await (await app.request("/shipments.csv?q=SPLIT1&file=shown", { headers })).text();
  expect(csv).toContain("At terminal (2 of 3)");
  expect(csv).toContain("2026-12-20 13:00,ETA");
  const csvText = await (await app.request("/shipments.csv?q=SPLIT1", { headers })).text();
  expect(csvText).toContain("2026-12-20T12:00:00.000Z,ETA");
  await arrive();
  const over = await read(`/shipments/${id}`);
  expect(over).toMatch(/SPLIT1 At terminal/);
  expect(over).toMatch(/Last container arrived at Hamburg Mon, 21 Dec 2026.* 2 days late/);
  expect(over).not.toContain("of 3");
  expect(await read("/shipments?q=SPLIT1")).toMatch(/SPLIT1 At terminal .*21 Dec.* ATA · 2 d late/);
  await pickUp();
  expect(await read("/shipments?q=SPLIT1")).toMatch(/SPLIT1 Picked up .*21 Dec.* ATA · 2 d late/);
  expect(await (await app.request("/shipments.csv?q=SPLIT1&file=shown", { headers })).text()).toContain("2026-12-21");
  const containerPage = await read(`/containers/${containerIds[2]}`);
  expect(containerPage).toContain("Gate out (full) at the port Wed, 23 Dec 2026, 13:00 CET");
  expect(containerPage).not.toContain("Gate out (full) at destination");
});
