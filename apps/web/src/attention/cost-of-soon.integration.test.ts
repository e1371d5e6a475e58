import { expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";
import { words } from "../testing/words.ts";

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

test("the price of the next days says how many containers it is of, where there are more than it sums", async () => {
  const read = async () => words(await (await visitor.get("/attention")).text());
  await addSoon("SOON1", "SOOU", 500);
  const whole = await read();
  expect(whole).toContain("500 containers reach the last free day within 3 days then 5,000.00 USD a day");
  expect(whole).not.toContain("Sums of the");
  await addSoon("SOON2", "SOPU", 1);
  expect(await read()).toContain(
    "501 containers reach the last free day within 3 days then 5,000.00 USD a day Sums of the 500 most urgent",
  );
});
