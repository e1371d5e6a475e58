import { describe, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";
import { words } from "../testing/words.ts";

const app = started(() => startTestWeb({ withApi: true }));

const account = started(() => app.addAccount());
const visitor = started(() => app.visit(account));

const linksOf = (shipmentId: string) => app.database.prisma.shareLink.findMany({ where: { shipmentId } });

describe("[issue 17] a shipment is shared by one click in a list", () => {
  test("with a link that expires in 30 days and shows neither references nor fees; a second click finds it", async () => {
    const { id } = await addShipment(app.database, account.id, { number: "ONCE1" });
    const share = () => visitor.post(`/shipments/${id}/share/at-once`, {});
    const locations = (await Promise.all([share(), share(), share()])).map(({ headers }) => headers.get("location"));
    // While the first is being answered, the others open the page without a notice.
    expect(locations).toContain(`/shipments/${id}/share?done=created`);
    for (const location of locations) expect(location?.split("?")[0]).toBe(`/shipments/${id}/share`);
    const [link, ...others] = await linksOf(id);
    expect(others).toEqual([]);
    expect([link?.showsReferences, link?.showsFees]).toEqual([false, false]);
    const days = ((link?.expiresAt?.getTime() ?? 0) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(29.9);
    expect(days).toBeLessThan(30.1);
    const again = await share();
    expect(again.headers.get("location")).toBe(`/shipments/${id}/share?done=found`);
    expect(words(await (await visitor.get(`/shipments/${id}/share?done=found`)).text())).toContain(
      "This shipment has an active link. Copy its address and send it.",
    );
    expect(await linksOf(id)).toHaveLength(1);
  });

  test("a link that was revoked, or that shows more, is not used", async () => {
    const { id } = await addShipment(app.database, account.id, { number: "ONCE2" });
    await visitor.post(`/shipments/${id}/share`, { key: "", expires: "7", fees: "yes" });
    await visitor.post(`/shipments/${id}/share/at-once`, {});
    const plain = (await linksOf(id)).filter(({ showsFees }) => !showsFees);
    expect(plain).toHaveLength(1);
    await visitor.post(`/shipments/${id}/share/${plain[0]?.id}/revoke`, {});
    const answer = await visitor.post(`/shipments/${id}/share/at-once`, {});
    expect(answer.headers.get("location")).toBe(`/shipments/${id}/share?done=created`);
    expect(await linksOf(id)).toHaveLength(3);
  });

  test("not that of another account", async () => {
    const { id } = await addShipment(app.database, account.id, { number: "ONCE3" });
    const stranger = await app.visit(await app.addAccount());
    expect((await stranger.post(`/shipments/${id}/share/at-once`, {})).status).toBe(404);
    expect(await linksOf(id)).toEqual([]);
  });
});
