import { beforeAll, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { addException } from "../testing/add-exception.ts";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const app = started(() => startTestWeb({ withApi: true }));
const account = started(() => app.addAccount());
const visitor = started(() => app.visit(account));

const rolledOver = "Rolled over in Singapore. No other vessel is planned yet.";
const revised = "Revised by the shipping line; no other report shows a cause.";

beforeAll(async () => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
  const add = async (number: string, container: string, daysLate: number) => {
    const added = await addShipment(app.database, account.id, { number, containers: [container] });
    const data = { podEtaAt: inDays(9 + daysLate), podOriginalEtaAt: inDays(9) };
    await app.database.prisma.shipment.updateMany({ where: { id: added.id }, data });
    return added;
  };
  const [three, nine] = [await add("LATE3", "LTEU3000001", 3), await add("LATE9", "LTEU9000001", 9)];
  const overdue = await add("LATE5", "LTEU5000001", 5);
  const data = { podEtaAt: inDays(-4), podOriginalEtaAt: inDays(-5) };
  await app.database.prisma.shipment.updateMany({ where: { id: overdue.id }, data });
  await add("PUNCT1", "LTEU1000001", 0);
  const keysOf = ({ id }: { readonly id: string }) => ({ subjectId: id, shipmentId: id });
  await addException(app.database, account.id, {
    ...keysOf(overdue),
    kind: "arrival_overdue",
    details: { days: 4, estimatedArrivalDate: "2026-06-07" },
  });
  const place = { locode: "SGSIN", name: "Singapore" };
  const change = { etaChangeCause: { kind: "source_revision", source: "shipping_line" } };
  const kinds = [
    ["eta_delay", { days: 9, ...change }],
    ["rollover", { place, nextVoyage: null }],
    ["carrier_silent", {}],
  ] as const;
  const ids = await Promise.all(
    kinds.map(([kind, details]) => addException(app.database, account.id, { ...keysOf(nine), kind, details })),
  );
  const at = new Date();
  const resolved = { resolvedAt: at, resolution: "by_member" };
  await app.database.prisma.exception.updateMany({ where: { id: ids[1] ?? "" }, data: resolved });
  const [containerId = ""] = three.containerIds;
  await addException(app.database, account.id, {
    subjectId: containerId,
    shipmentId: three.id,
    containerId,
    kind: "eta_delay",
    details: { days: 3, ...change },
  });
  const ended = await addException(app.database, account.id, {
    ...keysOf(three),
    kind: "rollover",
    details: { place },
  });
  await app.database.prisma.exception.updateMany({ where: { id: ended }, data: { ...resolved, endedAt: at } });
});

const read = async (path: string): Promise<string> => (await visitor.get(path)).text();
const numbersIn = (markup: string) =>
  [...markup.matchAll(/class="row-link"[^>]*><span\s+class="number">(\w+)</g)].map(([, number]) => number);

test("late containers are listed most delayed first, each with the reason from facts", async () => {
  for (const query of ["view=late", "late_days=2"]) {
    const markup = await read(`/containers?${query}`);
    expect(numbersIn(markup)).toEqual(["LTEU9000001", "LTEU5000001", "LTEU3000001"]);
    expect(markup).toMatch(/aria-sort="descending"><a\s+href="[^"]*sort=delay[^"]*">Delay</);
    const pageText = visibleText(markup);
    expect(pageText).toMatch(new RegExp(`LTEU9000001.*${rolledOver}.*LTEU5000001`));
    expect(pageText).toMatch(/LTEU5000001.*4 d overdue 5 d late.*no arrival was reported\..*LTEU3000001/);
    expect(pageText).toMatch(new RegExp(`LTEU3000001.*${revised}`));
    expect(pageText.split(rolledOver)).toHaveLength(2);
  }
});

test("keeps another order of the late list, and does not apply its own order to other views", async () => {
  const late = await read("/containers?view=late&sort=number");
  expect(numbersIn(late)).toEqual(["LTEU3000001", "LTEU5000001", "LTEU9000001"]);
  expect(late).toContain('name="sort" value="number"');
  const defaultPage = await read("/containers?view=late");
  expect(defaultPage).toContain('href="/containers?view=holds"');
  expect(defaultPage).not.toContain('name="sort"');
  expect(await read("/containers")).toContain('href="/containers?view=late"');
  expect(await read("/containers?sort=arrival")).toContain('href="/containers?view=late&amp;sort=arrival"');
});

test("the reason stays after the arrival that ended its exception", async () => {
  const late = await addShipment(app.database, account.id, { number: "LATE7", containers: ["LTEU7000001"] });
  const dayMs = 86_400_000;
  const arrivedAt = Date.now() - dayMs;
  const inland = { destinationAtaAt: new Date(arrivedAt + 6 * 3_600_000) };
  const atPort = { podEtaAt: null, podOriginalEtaAt: new Date(arrivedAt - 7 * dayMs), podAtaAt: new Date(arrivedAt) };
  const data = { ...atPort, ...inland };
  await app.database.prisma.shipment.updateMany({ where: { id: late.id }, data });
  const keys = {
    subjectId: late.id,
    shipmentId: late.id,
    details: { days: 7, place: { locode: "NLRTM", name: "Rotterdam" } },
  };
  const ended = await addException(app.database, account.id, { ...keys, kind: "missed_transshipment" });
  const before = await addException(app.database, account.id, { ...keys, kind: "rollover" });
  const endAt = (id: string, endedAt: number) =>
    app.database.prisma.exception.updateMany({
      where: { id },
      data: { endedAt: new Date(endedAt), resolvedAt: new Date(endedAt), resolution: "condition_ended" },
    });
  const overdue = await addException(app.database, account.id, { ...keys, kind: "arrival_overdue" });
  await endAt(overdue, arrivedAt + 3_600_000);
  await endAt(ended, arrivedAt + 3_600_000);
  await endAt(before, arrivedAt - dayMs);
  const pageText = visibleText(await read("/containers?number=LTEU7000001&columns=delay,reason"));
  await app.database.prisma.shipment.delete({ where: { accountId_id: { accountId: account.id, id: late.id } } });
  expect(pageText).toContain("Missed transshipment in Rotterdam");
  expect(pageText).not.toContain("Rolled over");
});

test("the reason is a column of the list that can be chosen, and of its files", async () => {
  const plain = visibleText(await read("/containers"));
  expect(plain).not.toContain(rolledOver);
  const chosen = await read("/containers?columns=reason,delay&sort=number");
  expect([...chosen.matchAll(/data-label="(\w+)"/g)].map(([, label]) => label)).toEqual(
    Array.from({ length: 4 }, () => ["Container", "Delay", "Reason"]).flat(),
  );
  expect(visibleText(chosen)).toContain(rolledOver);
  const csv = await read("/containers.csv?view=late&file=shown");
  const [head, first] = csv.replace("\uFEFF", "").split("\r\n");
  expect(head?.split(",")).toEqual(expect.arrayContaining(["delay_days", "delay_reason"]));
  expect(first).toContain(`,${rolledOver},`);
  expect(await read("/containers.csv")).toContain(revised);
});
