import { beforeAll, describe, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb, type Visitor } from "../testing/start-test-web.ts";

const app = started(() => startTestWeb({ withApi: true }));
let visitor: Visitor;
let shipment: string;
let container: string;

beforeAll(async () => {
  const account = await app.addAccount();
  visitor = await app.visit(account);
  const added = await addShipment(app.database, account.id, { number: "PACKED1", containers: ["PAKU1000001"] });
  shipment = `/shipments/${added.id}`;
  container = added.containerIds[0] ?? "";
});

/** Content encoding of a page; null when it is not compressed. */
async function packing(path: string, headers: Record<string, string> = {}): Promise<string | null> {
  const response = await app.request(path, {
    headers: { cookie: visitor.cookie, "accept-encoding": "gzip, br", ...headers },
  });
  expect(await response.text()).toContain("</html>");
  const packed = response.headers.get("content-encoding");
  if (packed !== null) expect(response.headers.get("vary")).toContain("Accept-Encoding");
  return packed;
}

describe("compression of pages", () => {
  test("uses an encoding that the browser accepts", async () => {
    expect(await packing("/shipments")).toBe("br");
    expect(await packing(shipment)).toBe("br");
    expect(await packing(shipment, { "accept-encoding": "gzip" })).toBe("gzip");
    expect(await packing(shipment, { "accept-encoding": "identity" })).toBeNull();
  });

  test("answers 304 to a compressed page that has not changed", async () => {
    const first = await visitor.get(shipment);
    expect(first.headers.get("content-encoding")).not.toBeNull();
    const headers = { cookie: visitor.cookie, "if-none-match": first.headers.get("etag") ?? "" };
    expect((await app.request(shipment, { headers })).status).toBe(304);
  });

  test.each(["cross-site", "same-site"])(
    "is off for a page with a text that another site chose, because its length would leak content (%s)",
    async (site) => {
      const siteHeaders = { "sec-fetch-site": site };
      expect(await packing("/shipments?q=PACKED", siteHeaders)).toBeNull();
      expect(await packing("/shipments?tag=PACKED", siteHeaders)).toBeNull();
      expect(await packing("/track?number=PACKED", siteHeaders)).toBeNull();
      expect(await packing("/shipments?q=a&q=b", siteHeaders)).toBeNull();
      // A link in an email has no text to guess with.
      expect(await packing(`${shipment}?container=${container}`, siteHeaders)).toBe("br");
      expect(await packing("/shipments?q=PACKED", { "sec-fetch-site": "same-origin" })).toBe("br");
    },
  );

  test("is off for responses to forms, which are the only pages with secrets", async () => {
    const id = /name="id" value="([^"]*)"/.exec(await (await visitor.get("/developers/tokens/new")).text())?.[1] ?? "";
    const created = await visitor.post("/developers/tokens", { id, name: "Packed", scope: "write", lifetime: "never" });
    expect(created.headers.get("content-encoding")).toBeNull();
    expect(await created.text()).toMatch(/svc_live_[0-9a-f]{40}/);
    const invited = await visitor.post("/account/members/invite", { email: "eve@example.test", role: "developer" });
    expect(invited.headers.get("content-encoding")).toBeNull();
    expect(await invited.text()).toMatch(/\/join\/[\w-]{43}/);
  });
});
