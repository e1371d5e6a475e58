import { beforeAll, describe, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { addException } from "../testing/add-exception.ts";
import { type AddedShipment, addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const app = started(() => startTestWeb({ withApi: true }));
const account = started(() => app.addAccount());
const visitor = started(() => app.visit(account));
let shipment: AddedShipment;
let ids: readonly string[];

beforeAll(async () => {
  shipment = await addShipment(app.database, account.id, { number: "NAV1", containers: ["NAVU1000001"] });
  const keys = { subjectId: shipment.id, shipmentId: shipment.id };
  ids = await Promise.all(
    ["rollover", "eta_delay"].map((kind) => addException(app.database, account.id, { ...keys, kind })),
  );
});

const read = async (path: string, reader = visitor): Promise<string> => (await reader.get(path)).text();
const navigation = (markup: string): string => visibleText(/<nav class="sections".*?<\/nav>/s.exec(markup)?.[0] ?? "");

describe("the count beside Attention", () => {
  test("is on every page of a member, with words for screen readers, and on no other", async () => {
    for (const path of ["/attention", "/shipments", `/shipments/${shipment.id}`, "/developers", "/account/members"]) {
      const navigationText = navigation(await read(path));
      expect(navigationText).toContain("Attention 2 (2 open exceptions, yours or without an owner) Shipments");
    }
    expect(await read("/shipments")).toContain('<span aria-hidden="true">2</span>');
    const lost = navigation(await read("/no-such-page"));
    expect(lost).toContain("Attention 2");
    for (const path of ["/login", "/status"])
      expect(await (await app.request(path)).text()).not.toContain("open-count");
    expect(await read("/shipments", await app.visit(await app.addAccount()))).not.toContain("open-count");
  });

  test("does not have those of other owners and snoozed ones, and makes open pages change", async () => {
    const path = `/shipments/${shipment.id}`;
    const before = (await visitor.get(path)).headers.get("etag");
    await visitor.post(`/attention/${ids[0]}`, { action: "take" });
    const colleague = await app.visit(await app.addMember(account, "operator"));
    expect(navigation(await read(path, colleague))).toContain("(1 open exception, yours");
    expect(navigation(await read(path))).toContain("(2 open exceptions, yours");
    await visitor.post(`/attention/${ids[1]}`, { action: "snooze" });
    expect(navigation(await read("/developers"))).toContain("Attention 1");
    expect((await visitor.get("/shipments")).headers.get("etag")).not.toBeNull();
    expect((await visitor.get(path)).headers.get("etag")).not.toBe(before);
    await visitor.post(`/attention/${ids[0]}`, { action: "resolve" });
    expect(await read(path)).not.toContain("open-count");
  });

  test("ends at 99", async () => {
    const busy = await app.addAccount();
    const { id } = await addShipment(app.database, busy.id, { number: "NAV2" });
    await app.database.pool.query(
      `INSERT INTO exceptions (account_id, id, subject_id, shipment_id, kind, severity, priority, details, opened_at,
         created_at, updated_at)
       SELECT $1, uuidv7(), uuidv7(), $2, 'hold', 'critical', n, '{}', now(), now(), now()
       FROM generate_series(1, 120) n`,
      [busy.id, id],
    );
    expect(navigation(await read("/shipments", await app.visit(busy)))).toContain("Attention 99+ (99+ open exceptions");
  });
});
