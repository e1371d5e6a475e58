import { beforeAll, describe, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { addException } from "../testing/add-exception.ts";
import { type AddedShipment, addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const app = started(() => startTestWeb({ withApi: true }));
const account = started(() => app.addAccount());
const visitor = started(() => app.visit(account));
const numbers = (count: number, owner: string) =>
  Array.from({ length: count }, (_, index) => `${owner}10000${String(index + 1).padStart(2, "0")}`);

const over = { kind: "last_free_day_over", priority: 14_004 };
const cost = (amount: number, currencyCode: string) => ({
  details: {
    days: 4,
    lastFreeDay: "2026-06-06",
    amounts: [{ amount, currencyCode }],
    perDay: { amount: 150, currencyCode },
  },
});

let many: AddedShipment;
let few: AddedShipment;
let ids: readonly string[];

beforeAll(async () => {
  many = await addShipment(app.database, account.id, { number: "MANY1", containers: numbers(12, "MANU") });
  few = await addShipment(app.database, account.id, { number: "FEW1", containers: numbers(2, "FEWU") });
  const add = (shipment: AddedShipment, columns: { kind: string; priority: number; details?: object }) =>
    Promise.all(
      shipment.containerIds.map((containerId) =>
        addException(app.database, account.id, {
          containerId,
          subjectId: containerId,
          shipmentId: shipment.id,
          ...columns,
        }),
      ),
    );
  ids = await add(many, { ...over, ...cost(600, "USD") });
  await add(few, { ...over, ...cost(100, "EUR") });
  await addException(app.database, account.id, {
    subjectId: many.id,
    shipmentId: many.id,
    kind: "eta_delay",
    severity: "warning",
    details: { days: 4 },
  });
});

const read = async (path: string, reader = visitor): Promise<string> => (await reader.get(path)).text();
const rowsOf = (markup: string): readonly string[] =>
  [...markup.matchAll(/<tr id="row-.*?<\/tr>/gs)].map(([row]) => visibleText(row));
const groupOf = (markup: string): string =>
  /<tr id="row-(?:(?!<\/tr>).)*<details class="group".*?<\/tr>/s.exec(markup)?.[0] ?? "";

describe("exceptions of one kind in many containers of a shipment", () => {
  test("are one row with their number and the sum of their costs, which unfolds to each", async () => {
    const markup = await read("/attention");
    const rows = rowsOf(markup);
    expect(rows).toHaveLength(4);
    expect(rows.find((row) => row.includes("12 containers"))).toContain("7,200.00 USD 1,800.00 per day");
    const group = groupOf(markup);
    expect(group).toMatch(/<summary class="late">Last free day over: 12 containers<\/summary>/);
    for (const [at, id] of ids.entries()) {
      expect(group).toContain(`href="/attention/${id}"`);
      expect(group).toContain(`href="/shipments/${many.id}?container=${many.containerIds[at]}"`);
    }
    expect(visibleText(markup)).toContain("Counts are of exceptions.");
    expect(visibleText(markup)).toContain("Open 15 Snoozed 0 Resolved 0");
    expect(visibleText(markup)).toContain("(14 containers)");
  });

  test("are one line at the top of the page of their shipment", async () => {
    const band = /<section class="band".*?<\/section>/s.exec(await read(`/shipments/${many.id}`))?.[0] ?? "";
    expect(visibleText(band)).toMatch(/^ ?Last free day over: 12 containers, 6 Jun, 7,200\.00 USD so far MANU1000001 /);
    expect(band.match(/<li class="late">/g)).toHaveLength(1);
    // The number of the page is not repeated.
    expect(band).toMatch(/<li class="warning">\s*<span class="warning"><a href="\/attention\/[^"]+">/);
    expect(band).not.toContain("MANY1");
  });

  test("have a row each where they are fewer than three", async () => {
    const rows = rowsOf(await read("/attention"));
    expect(rows.filter((row) => row.includes("FEWU"))).toHaveLength(2);
    const markup = await read("/attention?kind=eta_delay");
    expect(visibleText(markup)).not.toContain("Counts are of exceptions.");
  });

  test("are changed together by the form of their row, without JavaScript", async () => {
    const group = groupOf(await read("/attention"));
    const form =
      /<form class="row-actions" method="post" action="\/attention\/rows".*?<\/form>/s.exec(group)?.[0] ?? "";
    const sent = [...form.matchAll(/name="id" value="([^"]+)"/g)].map(([, id = ""]) => id);
    expect(sent.toSorted()).toEqual([...ids].toSorted());
    expect(form).toContain("Assign to me: Last free day over: 12 containers, MANY1");
    const assigned = await visitor.post("/attention/rows", { id: sent, action: "take", back: "/attention" });
    expect(visibleText(await read(assigned.headers.get("location") ?? ""))).toContain(
      "12 exceptions assigned to you. Undo",
    );
    const ownGroup = groupOf(await read("/attention?owner=me"));
    expect(visibleText(ownGroup)).toContain(`${account.email} open for`);
    expect(ownGroup).not.toContain("Assign to me");
    await visitor.post(`/attention/${ids[0]}`, { action: "release" });
    expect(visibleText(groupOf(await read("/attention")))).toContain("Several owners");
  });

  test("have no forms and boxes for a viewer", async () => {
    const viewer = await app.visit(await app.addMember(account, "viewer"));
    const group = groupOf(await read("/attention", viewer));
    expect(visibleText(group)).toContain("Last free day over: 12 containers");
    expect(group).not.toMatch(/<form|class="pick/);
  });
});
