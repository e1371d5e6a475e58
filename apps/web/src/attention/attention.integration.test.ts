import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type AddedShipment, addShipment } from "../testing/add-shipment.ts";
import { startTestWeb, type TestAccount, type TestWeb, type Visitor } from "../testing/start-test-web.ts";
import { words } from "../testing/words.ts";

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);

let app: TestWeb;
let account: TestAccount;
let visitor: Visitor;
let calm: AddedShipment;
let urgent: AddedShipment;

beforeAll(async () => {
  app = await startTestWeb({ withServices: true });
  account = await app.addAccount();
  visitor = await app.visit(account);
  calm = await addShipment(app.database, account.id, { number: "CALM1", containers: ["CALU1000001"] });
  urgent = await addShipment(app.database, account.id, {
    number: "URGE1",
    containers: ["URGU1000001", "URGU1000002", "URGU1000003"],
  });
  const { shipment } = app.database.prisma;
  await shipment.updateMany({ where: { id: urgent.id }, data: { podOriginalEtaAt: null } });
  const stopped = { lineTrackingStoppedAt: new Date(), lineTrackingStoppedReason: "cancelled_by_user" };
  await shipment.updateMany({ where: { id: calm.id }, data: stopped });
  const set = (number: string, data: object) => app.database.prisma.container.updateMany({ where: { number }, data });
  await set("URGU1000001", { pickupLfd: inDays(2) });
  await set("URGU1000002", {
    pickupLfd: inDays(-4),
    feesAtPodTerminal: [{ type: "demurrage", amount: 600, currencyCode: "USD" }],
  });
  await set("URGU1000003", { holdsAtPodTerminal: [{ name: "customs", status: "hold", description: null }] });
}, 180_000);
afterAll(() => app.close());

const read = async (path: string, reader = visitor): Promise<string> => (await reader.get(path)).text();

describe("exceptions that need attention", () => {
  test("lists exceptions with their cost, most urgent first, and links to each", async () => {
    const markup = await read("/attention");
    const numbers = [...markup.matchAll(/class="row-link"[^>]*><span class="number">(\w+)</g)].map(([, one]) => one);
    expect(numbers).toEqual(["URGU1000002", "URGU1000003", "URGU1000001"]);
    const seen = words(markup);
    expect(seen).toContain("Last free day was 4 days ago, 600.00 USD so far");
    expect(seen).not.toContain("Fees: 600.00 USD");
    expect(seen).toContain("On hold: customs");
    expect(seen).toContain("Last free day in 2 days");
    expect(markup).toContain(`href="/shipments/${urgent.id}?container=${urgent.containerIds[0]}"`);
    expect(markup).not.toContain("CALU1000001");
  });

  test("counts each kind, and each count leads to its list", async () => {
    const markup = await read("/attention");
    expect(markup).toContain('<a class="figure" href="/containers?view=last_free_day">2</a>');
    expect(markup).toContain('<a class="figure" href="/containers?view=holds">1</a>');
    expect(markup).toContain('<a class="figure" href="/tracking-requests?status=failed">0</a>');
  });

  test("is the start page, and shows an empty state without exceptions", async () => {
    expect((await visitor.get("/")).headers.get("location")).toBe("/attention");
    const stranger = await app.visit(await app.addAccount());
    const seen = words(await read("/attention", stranger));
    expect(seen).toContain("Nothing needs attention");
    expect(seen).not.toContain("URGU");
  });

  test("stands at the top of the page of a shipment, which is quiet while all is well", async () => {
    const seen = words(await read(`/shipments/${urgent.id}`));
    expect(seen).toContain("URGU1000002 Last free day was 4 days ago, 600.00 USD so far");
    expect(seen).toContain("URGU1000003 On hold: customs");
    expect(await read(`/shipments/${calm.id}`)).not.toContain('class="band"');
  });
});
