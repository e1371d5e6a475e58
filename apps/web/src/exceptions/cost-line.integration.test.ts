import { expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { addException } from "../testing/add-exception.ts";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const app = started(() => startTestWeb({ withApi: true }));
const account = started(() => app.addAccount());
const visitor = started(() => app.visit(account));

/** Adds containers whose last free day is tomorrow, each with the price of the day after it. */
async function addSoon(number: string, prefix: string, count: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, index) => `${prefix}${String(index).padStart(7, "0")}`);
  const { id: shipmentId, containerIds } = await addShipment(app.database, account.id, { number, containers: numbers });
  const at = new Date(Date.now() - 60_000);
  await app.database.prisma.exception.createMany({
    data: containerIds.map((containerId) => ({
      accountId: account.id,
      id: uuidV7.next(),
      subjectId: containerId,
      shipmentId,
      containerId,
      kind: "last_free_day_soon",
      severity: "warning",
      priority: 1,
      openedAt: at,
      createdAt: at,
      updatedAt: at,
      details: { days: 1, lastFreeDay: "2026-07-05", perDay: { amount: 10, currencyCode: "USD" } },
    })),
  });
}

const usd = (amount: number) => ({ amount, currencyCode: "USD" });

/** Adds an account with two containers; returns what reads its queue and adds an exception to one of them. */
async function addTwoContainers(number: string, containers: [string, string]) {
  const account = await app.addAccount();
  const { id: shipmentId, containerIds } = await addShipment(app.database, account.id, { number, containers });
  const visitor = await app.visit(account);
  return {
    read: async () => (await visitor.get("/attention")).text(),
    async add(index: 0 | 1, kind: string, details: object): Promise<void> {
      const id = containerIds[index] ?? "";
      await addException(app.database, account.id, { subjectId: id, containerId: id, shipmentId, kind, details });
    },
  };
}

test("the price of the next days is that of all containers", async () => {
  await addSoon("SOON1", "SOOU", 501);
  expect(visibleText(await (await visitor.get("/attention")).text())).toContain(
    "501 containers reach the last free day within 3 days , then 5,010.00 USD per day more",
  );
});

test("the price of a day that is known for some containers only says for how many", async () => {
  const { add, read } = await addTwoContainers("RATED1", ["RATU0000001", "RATU0000002"]);
  const soon = { days: 1, lastFreeDay: "2026-07-05" };
  await add(0, "last_free_day_soon", { ...soon, perDay: usd(50) });
  await add(1, "last_free_day_soon", soon);
  expect(visibleText(await read())).toContain(
    "2 containers reach the last free day within 3 days , then 50.00 USD per day (known for 1) more",
  );
});

test("containers without any known charge are not free of charge", async () => {
  const { add, read } = await addTwoContainers("UNKNOWN1", ["UNKU0000001", "UNKU0000002"]);
  await add(0, "last_free_day_over", { days: 2, lastFreeDay: "2026-07-01" });
  const pageText = visibleText(await read());
  expect(pageText).toContain("Charges not known Demurrage not known (1 container)");
  expect(pageText).not.toContain("No charges");
});

test("the growth says of how many containers it is known, whatever the fees grow by", async () => {
  const { add, read } = await addTwoContainers("GROWTH1", ["GROU0000001", "GROU0000002"]);
  const over = { days: 2, lastFreeDay: "2026-07-01", amounts: [usd(300)] };
  await add(0, "last_free_day_over", { ...over, perDay: usd(150) });
  await add(1, "last_free_day_over", over);
  await add(1, "fee", { amounts: [usd(20)], perDay: usd(5) });
  expect(visibleText(await read())).toContain("growing by 155.00 USD per day (known for 1)");
});

test("demurrage, detention and fees are parts of one sum", async () => {
  const { add, read } = await addTwoContainers("RETURN1", ["RETU0000001", "RETU0000002"]);
  const late = { days: 9, lastFreeDay: "2026-07-01", amounts: [usd(225)], perDay: usd(75) };
  await add(0, "not_returned", late);
  await add(1, "not_returned", late);
  await add(1, "fee", { amounts: [usd(385)] });
  const markup = await read();
  expect(visibleText(markup)).toContain(
    "835.00 USD charges · growing by 150.00 USD per day " +
      "Detention 450.00 USD (2 containers) Other fees 385.00 USD (1 container)",
  );
  expect(markup).toContain('href="/attention?kind=not_returned"');
});
