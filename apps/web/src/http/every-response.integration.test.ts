import { beforeAll, describe, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { accessTable } from "../testing/access-table.ts";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText, withoutOwnScript } from "../testing/visible-text.ts";

const app = started(() => startTestWeb({ withApi: true }));
let cookie: string;

beforeAll(async () => {
  cookie = await app.logIn(await app.addAccount());
});

async function page(path: string, status = 200): Promise<string> {
  const response = await app.request(path, { headers: { cookie, accept: "text/html" } });
  expect(response.status).toBe(status);
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  return response.text();
}

const methodsOf = ({ method }: { readonly method: string }): readonly string[] =>
  method === "GET" ? ["GET", "HEAD"] : [method];
/** The methods of each path, without those that answer every method themselves, or need caught mails. */
const methods = [...Map.groupBy(accessTable, ({ path }) => path)].flatMap(([path, pathRoutes]) =>
  pathRoutes.some(({ method }) => method === "ALL") || path.startsWith("/account/mail")
    ? []
    : [[path, pathRoutes.flatMap(methodsOf).join(", ")] as const],
);

test.each(methods)("%s refuses other methods than %s", async (path, allowed) => {
  const { status, headers } = await app.request(path.replaceAll(":", ""), { method: "PUT" });
  expect([status, headers.get("allow")]).toEqual([405, allowed]);
});

describe("every answer", () => {
  test("forbids frames, scripts of its own text and everything of other sites", async () => {
    for (const path of ["/", "/login", "/shipments", "/shipments/find?q=a", "/nothing"]) {
      const { headers } = await app.request(path, { headers: { cookie } });
      expect(headers.get("content-security-policy")).toMatch(
        /^default-src 'none'; script-src 'self'; style-src 'self';.*frame-ancestors 'none'; require-trusted-types-for 'script'/,
      );
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("x-powered-by")).toBeNull();
      const policy = (headers.get("permissions-policy") ?? "").split(", ");
      expect(policy).toEqual(expect.arrayContaining(["camera=()", "payment=()", "usb=()", "clipboard-write=(self)"]));
      expect(policy.filter((feature) => !feature.endsWith("=()"))).toEqual(["clipboard-write=(self)"]);
    }
  });

  test("the script, the stylesheets and the icon that pages name are served, packed, and kept by browsers", async () => {
    const markup = await page("/shipments");
    const paths = [...markup.matchAll(/<(?:link|script) [^>]*(?:href|src)="([^"]+)"/g)].map(([, path]) => path ?? "");
    expect(paths).toHaveLength(4);
    for (const path of paths) {
      const response = await app.request(path, { headers: { "accept-encoding": "br" } });
      expect(response.status).toBe(200);
      expect(response.headers.get("content-encoding")).toBe("br");
      expect((await response.text()).length).toBeGreaterThan(100);
      expect(response.headers.get("cache-control")).toContain("immutable");
    }
    expect(withoutOwnScript(markup)).not.toMatch(/style=|<style|<script|https?:\/\/(?!localhost:4000)/);
  });

  test("unknown addresses and broken escapes are answered, as JSON to a program", async () => {
    const nothing = await page("/nothing", 404);
    expect(visibleText(nothing)).toContain("There is no page at this address.");
    expect(nothing).toMatch(/<nav class="sections"[\s\S]*action="\/track\/search"/);
    expect(await (await app.request("/nothing")).text()).not.toContain('<nav class="sections"');
    expect((await app.request("/", { headers: { cookie } })).headers.get("location")).toBe("/attention");
    expect((await app.request("/shipments/%E0%A4%A", { headers: { cookie } })).status).toBe(400);
    const program = await app.request("/nothing", { headers: { accept: "application/json" } });
    expect(await program.json()).toMatchObject({ errors: [{ status: "404", code: "not_found" }] });
  });
});
