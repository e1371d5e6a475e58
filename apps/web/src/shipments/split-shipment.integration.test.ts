import { beforeAll, expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { addObservations } from "../testing/add-observation.ts";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";
import { words } from "../testing/words.ts";

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
      words(await (await app.request(`/shipments/${id}?container=${one}`, { headers })).text()),
    ),
  );
  expect(first).toContain("Hamburg Vessel arrived estimated Sun, 28 Jun 2026, 12:00 CEST");
  expect(first).toContain("EVER GIVEN, voyage 034E");
  expect(last).toContain("Hamburg Vessel arrived estimated Sun, 5 Jul 2026, 12:00 CEST");
  expect(last).not.toContain("EVER GIVEN");
  for (const seen of [first, last]) expect(seen).toContain("Last container arrives at Hamburg Sun, 5 Jul 2026");
});
