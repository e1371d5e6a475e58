import { expect, test } from "@jest/globals";
import { dayMs } from "@svc/domain";
import { started } from "@svc/testkit/started";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";

const app = started(() => startTestWeb({ withApi: true }));
const account = started(() => app.addAccount());
const visitor = started(() => app.visit(account));

const linksOf = (shipmentId: string) => app.database.prisma.shareLink.findMany({ where: { shipmentId } });

test("Share leads to the choice of what is shared, and creates nothing by itself", async () => {
  const { id } = await addShipment(app.database, account.id, { number: "ONCE1" });
  const path = `/shipments/${id}/share`;
  for (const page of ["/shipments", `/shipments/${id}`]) {
    expect(await (await visitor.get(page)).text()).toContain(`href="${path}" data-share`);
  }
  const choice = await (await visitor.get(path)).text();
  expect(choice).toContain('name="references"');
  expect(await linksOf(id)).toEqual([]);
  // The same form is submitted twice, without a change.
  const [, key = ""] = /name="key" value="([^"]+)"/.exec(choice) ?? [];
  for (let time = 0; time < 2; time += 1) await visitor.post(path, { key, expires: "30" });
  const [link, ...others] = await linksOf(id);
  expect(others).toEqual([]);
  expect([link?.showsReferences, link?.showsFees]).toEqual([false, false]);
  const days = ((link?.expiresAt?.getTime() ?? 0) - Date.now()) / dayMs;
  expect(days).toBeGreaterThan(29.9);
  expect(days).toBeLessThan(30.1);
});

test("a member of another account shares nothing", async () => {
  const { id } = await addShipment(app.database, account.id, { number: "ONCE2" });
  const otherVisitor = await app.visit(await app.addAccount());
  expect((await otherVisitor.get(`/shipments/${id}/share`)).status).toBe(404);
  expect((await otherVisitor.post(`/shipments/${id}/share`, { expires: "30" })).status).toBe(404);
  expect(await linksOf(id)).toEqual([]);
});
