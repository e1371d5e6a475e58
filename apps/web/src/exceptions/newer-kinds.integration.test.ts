import { beforeAll, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { addException } from "../testing/add-exception.ts";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const app = started(() => startTestWeb({ withApi: true }));
const account = started(() => app.addAccount());
const visitor = started(() => app.visit(account));
let id = "";

/** As a tracking worker of a newer version writes it. */
beforeAll(async () => {
  const shipment = await addShipment(app.database, account.id, { number: "NEW1", containers: ["NEWU1000001"] });
  const keys = { subjectId: shipment.id, shipmentId: shipment.id };
  id = await addException(app.database, account.id, { ...keys, kind: "strike_announced", details: { port: "DEHAM" } });
});

const read = async (path: string): Promise<string> => {
  const response = await visitor.get(path);
  expect(response.status).toBe(200);
  return visibleText(await response.text());
};

test("the queue and the page of an exception show a kind that only a newer version knows by its name", async () => {
  expect(await read("/attention")).toContain("Strike announced");
  const page = await read(`/attention/${id}`);
  expect(page).toContain("NEW1 · Strike announced");
  expect(page).toContain("Opened: Strike announced");
});

test("a resolution that only a newer version knows counts as the end of the condition", async () => {
  const at = new Date(Date.now() - 1_000);
  const data = { endedAt: at, resolvedAt: at, resolution: "strike_ended" };
  await app.database.prisma.exception.updateMany({ where: { id }, data });
  expect(await read("/attention?status=resolved")).toContain("Strike announced");
  expect(await read(`/attention/${id}`)).toContain("Resolved: the condition ended");
});
