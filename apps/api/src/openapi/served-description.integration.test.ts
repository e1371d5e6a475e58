import { expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { startTestApi } from "../testing/start-test-api.ts";

const api = started(startTestApi);

test("the description is open to everybody, names this server and the version, and is cached [spec: P13, P23]", async () => {
  const { status, headers, body } = await api.request("/openapi.json", { token: null });
  expect([status, headers.get("content-type"), body.openapi]).toEqual([200, "application/json", "3.1.0"]);
  expect([body.servers, body.info.version]).toEqual([[{ url: api.url }], headers.get("api-version")]);
  const again = await api.request("/openapi.json", { headers: { "If-None-Match": headers.get("etag") ?? "" } });
  expect(again.status).toBe(304);
});

test("responds to other methods with the allowed methods of the description [spec: P19]", async () => {
  for (const method of ["PUT", "POST", "DELETE", "PATCH"]) {
    const { status, headers, body } = await api.request("/openapi.json", { method });
    expect([status, headers.get("allow"), body.errors[0].code]).toEqual([
      405,
      "GET, HEAD, OPTIONS",
      "method_not_allowed",
    ]);
  }
  const options = await api.request("/openapi.json", { method: "OPTIONS", token: null });
  expect([options.status, options.headers.get("allow")]).toEqual([204, "GET, HEAD, OPTIONS"]);
});

test("the plain reference page is served with a policy that lets it load nothing", async () => {
  const response = await fetch(new URL("/docs/plain", api.url));
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(response.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-/);
  expect(await response.text()).toContain("Update a shipment");
});

test("the reference page loads scripts of its own origin, compressed and cached by their content", async () => {
  const response = await fetch(new URL("/docs", api.url));
  expect(response.headers.get("content-security-policy")).toMatch(
    /default-src 'none'; script-src 'self'; .*connect-src 'self'/,
  );
  const page = await response.text();
  const files = [...page.matchAll(/docs\/assets\/[\w.]+/g)].map(([file]) => new URL(`/${file}`, api.url));
  expect(files).toHaveLength(3);
  for (const file of files) {
    for (const encoding of ["br", "gzip", "identity"]) {
      const asset = await fetch(file, { headers: { "Accept-Encoding": encoding } });
      expect([asset.status, asset.headers.get("content-encoding") ?? "identity"]).toEqual([200, encoding]);
      expect(asset.headers.get("cache-control")).toContain("immutable");
      expect((await asset.text()).length).toBeGreaterThan(500);
    }
  }
  expect((await fetch(new URL("/docs/assets/scalar.0000000000000000.js", api.url))).status).toBe(404);
});

test("redirects an address with a trailing slash to the page", async () => {
  const response = await fetch(new URL("/docs/", api.url), { redirect: "manual" });
  expect([response.status, response.headers.get("location")]).toEqual([308, "../docs"]);
});
