import { beforeAll, describe, expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { type AddedShipment, addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

/** Refreshes of an account within a minute, as the API limits them by default. */
const perMinute = 10;

const app = started(() => startTestWeb({ withApi: true }));
const account = started(() => app.addAccount());
const visitor = started(() => app.visit(account));
let shipment: AddedShipment;
const later = new Date("2100-01-01T00:00:00Z");

/** A shipment whose carrier is polled again much later. */
async function addPolled(number: string, containers: readonly string[], accountId = account.id) {
  const added = await addShipment(app.database, accountId, { number, containers });
  const subjectId = uuidV7.next();
  const subject = { accountId, id: subjectId, scac: "SBXL", kind: "bill_of_lading", number, nextPollAt: later };
  await app.database.prisma.trackingSubject.create({ data: { ...subject, createdAt: new Date() } });
  await app.database.prisma.shipment.updateMany({ where: { id: added.id }, data: { subjectId } });
  return { ...added, subjectId };
}

beforeAll(async () => {
  shipment = await addPolled("POLL1", ["POLU1000001", "POLU1000002"]);
});

const nextPollOf = async (number: string): Promise<Date | null> =>
  (await app.database.prisma.trackingSubject.findFirstOrThrow({ where: { number } })).nextPollAt;
const refresh = (id: string, query = "", by = visitor) =>
  by.post(`/shipments/${id}/refresh`, {}, { origin: app.url, referer: `${app.url}/shipments/${id}${query}` });
const button = (id: string) => `action="/shipments/${id}/refresh"`;

describe("the refresh of a shipment", () => {
  test("polls the carrier at once, keeps what the reader chose, and says so", async () => {
    expect(await (await visitor.get(`/shipments/${shipment.id}`)).text()).toContain(button(shipment.id));
    const query = `?container=${shipment.containerIds[1]}&order=newest&as_of=x`;
    const response = await refresh(shipment.id, query);
    const path = `/shipments/${shipment.id}?container=${shipment.containerIds[1]}&order=newest&refresh=polled`;
    expect([response.status, response.headers.get("location")]).toEqual([303, path]);
    expect((await nextPollOf("POLL1"))?.getTime()).toBeLessThanOrEqual(Date.now());
    const pageText = visibleText(await (await visitor.get(path)).text());
    expect(pageText).toContain("is polled now. Its reply appears on this page.");
  });

  test("is refused to viewers, to other accounts and from other sites", async () => {
    const viewer = await app.visit(await app.addMember(account, "viewer"));
    expect(await (await viewer.get(`/shipments/${shipment.id}`)).text()).not.toContain(button(shipment.id));
    const refused = await refresh(shipment.id, "", viewer);
    expect([refused.status, visibleText(await refused.text())]).toEqual([
      403,
      expect.stringContaining("role operator"),
    ]);
    const otherVisitor = await app.visit(await app.addAccount());
    expect((await refresh(shipment.id, "", otherVisitor)).status).toBe(404);
    const foreign = { origin: "https://example.com" };
    expect((await visitor.post(`/shipments/${shipment.id}/refresh`, {}, foreign)).status).toBe(403);
  });

  test("is not offered for a past time, without containers, or when tracking has stopped, and then polls nothing", async () => {
    const empty = await addPolled("POLL2", []);
    const ended = await addPolled("POLL3", ["POLU1000003"]);
    const past = `/shipments/${shipment.id}?as_of=${encodeURIComponent(new Date().toISOString())}`;
    expect(await (await visitor.get(past)).text()).not.toContain(button(shipment.id));
    expect(await (await visitor.get(`/shipments/${empty.id}`)).text()).not.toContain(button(empty.id));
    await visitor.post(`/shipments/${ended.id}/tracking`, { action: "stop" });
    expect(await (await visitor.get(`/shipments/${ended.id}`)).text()).not.toContain(button(ended.id));
    for (const [{ id }, text] of [
      [empty, "The carrier has not reported a container yet."],
      [ended, "tracking of this shipment was stopped"],
    ] as const) {
      const response = await refresh(id);
      expect(visibleText(await (await visitor.get(response.headers.get("location") ?? "")).text())).toContain(text);
    }
    expect([await nextPollOf("POLL2"), await nextPollOf("POLL3")]).toEqual([later, null]);
  });

  test("names the time of the next one when the limit of a minute is reached", async () => {
    const other = await app.addAccount();
    const busy = await addPolled("POLL4", ["POLU1000004"], other.id);
    const member = await app.visit(other);
    const responses = [];
    for (let count = 0; count <= perMinute; count += 1) responses.push(await refresh(busy.id, "", member));
    const outcomes = responses.map((response) => response.headers.get("location") ?? "");
    expect(outcomes.slice(0, perMinute)).toEqual(Array(perMinute).fill(`/shipments/${busy.id}?refresh=polled`));
    const pageText = visibleText(await (await member.get(outcomes[perMinute] ?? "")).text());
    expect(pageText).toMatch(/refreshed too often within a minute\. It is possible again in \d+ seconds?\./);
    const afterwards = visibleText(await (await member.get(`/shipments/${busy.id}?refresh=1700000000`)).text());
    expect(afterwards).toContain("It is possible again now.");
    expect(visibleText(await (await member.get(`/shipments/${busy.id}?refresh=x`)).text())).not.toContain("polled");
  });
});
