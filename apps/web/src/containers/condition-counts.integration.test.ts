import { beforeAll, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const app = started(() => startTestWeb({ withApi: true }));
const account = started(() => app.addAccount());
const visitor = started(() => app.visit(account));

const read = async (path: string): Promise<string> => (await visitor.get(path)).text();
const numbersIn = (markup: string) =>
  [...markup.matchAll(/class="row-link"[^>]*><span\s+class="number">(\w+)</g)].map(([, number]) => number);
const inDays = (days: number): Date => new Date(Date.now() + days * 86_400_000);

beforeAll(async () => {
  const containers = ["CNDU1000001", "CNDU1000002", "CNDU1000003"];
  const { containerIds } = await addShipment(app.database, account.id, { number: "COUNT1", containers });
  const set = (index: number, data: object) =>
    app.database.prisma.container.updateMany({ where: { id: containerIds[index] ?? "" }, data });
  await set(0, { pickupLfd: inDays(-9), holdsAtPodTerminal: [{ name: "customs", status: "hold", description: null }] });
  await set(1, { pickupLfd: inDays(2), availableForPickup: true });
});

test.each([
  ["/containers", 10],
  ["/containers?vessel=NO%20SUCH%20VESSEL", 10],
  ["/containers?view=last_free_day", 11],
])("each condition of %s has the number of the containers that it lists, within the other filters", async (...on) => {
  const [within, shown] = on;
  const markup = await read(within);
  const [conditions = ""] = /<nav class="chips" aria-label="Conditions">.*?<\/nav>/s.exec(markup) ?? [];
  const links = [...conditions.matchAll(/href="([^"]+)"[^>]*>(?:(?!<\/a>).)*<span class="count">(\d+)</gs)];
  expect(links).toHaveLength(shown);
  for (const [, path = "", count] of links) {
    const listed = numbersIn(await read(path.replaceAll("&amp;", "&")));
    expect([path, String(listed.length)]).toEqual([path, count]);
  }
});

test("the last free day within three days or over is counted also where tracking stopped", async () => {
  const { id, containerIds } = await addShipment(app.database, account.id, {
    number: "COUNT2",
    containers: ["CNDU1000019"],
  });
  await app.database.prisma.shipment.updateMany({
    where: { id },
    data: { lineTrackingStoppedAt: new Date(), lineTrackingStoppedReason: "no_updates_at_line" },
  });
  const set = (data: object) =>
    app.database.prisma.container.updateMany({ where: { id: containerIds[0] ?? "" }, data });
  await set({ pickupLfd: inDays(-9), podArrivedAt: new Date() });
  const all = await read("/containers");
  // The list of tracked containers leaves it out, although it may cost the most.
  expect(visibleText(all)).toContain("3 containers · 1 more over the last free day , tracking stopped");
  const [, path = ""] = /href="([^"]+)">1 more over/.exec(all) ?? [];
  expect(numbersIn(await read(path.replaceAll("&amp;", "&")))).toEqual(["CNDU1000019"]);
  expect(visibleText(await read("/containers?tracking=any"))).not.toContain("more over the last free day");
  await set({ pickupLfd: inDays(1) });
  expect(visibleText(await read("/containers?view=last_free_day"))).toContain("Within 3 days or over 3");
});

test("Attention has the numbers of the conditions that are urgent, and the lists they stand for", async () => {
  const shortcuts = /<nav class="card shortcuts".*?<\/nav>/s.exec(await read("/attention"))?.[0] ?? "";
  expect(visibleText(shortcuts)).toContain(
    "Over the last free day 1 Last free day today 0 Last free day within 3 days 1 On hold 1",
  );
  expect(shortcuts).toMatch(/view=last_free_day_over">Over the last free day <span class="late">1</);
  expect(shortcuts).toMatch(/view=last_free_day_today">Last free day today <span class="muted">0</);
});
