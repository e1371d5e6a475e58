import { expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { startTestWeb } from "../testing/start-test-web.ts";

const app = started(startTestWeb);

const visitor = started(async () => app.visit(await app.addAccount()));

const choose = (theme: string) =>
  visitor.post("/theme", { theme }, { origin: app.url, referer: `${app.url}/containers?status=on_ship` });
const read = async (path: string, cookie: string): Promise<string> =>
  (await app.request(path, { headers: { cookie } })).text();

test("the theme is the system's at first, then what the reader chose, on every page of the browser", async () => {
  const first = await read("/account/sessions", visitor.cookie);
  expect(first).toContain('<html lang="en">');
  expect(first).toContain('name="theme" value="" aria-pressed="true">System');
  const response = await choose("dark");
  expect([response.status, response.headers.get("location")]).toEqual([303, "/containers?status=on_ship"]);
  const [cookie = ""] = response.headers.getSetCookie();
  expect(cookie).toMatch(/^svc_theme=dark; Max-Age=31536000; Path=\/;.* HttpOnly; SameSite=Lax$/);
  const chosen = cookie.split(";")[0];
  const dark = await read("/account/sessions", `${visitor.cookie}; ${chosen}`);
  expect(dark).toContain('<html lang="en" data-theme="dark">');
  expect(dark).toContain('name="theme" value="dark" aria-pressed="true">Dark');
  expect(await read("/login", `${chosen}`)).toContain('data-theme="dark"');
  expect((await choose("")).headers.getSetCookie()[0]).toMatch(/^svc_theme=; .*1970/);
});

test("a theme that does not exist changes nothing", async () => {
  expect((await choose('dark" onload="x')).headers.getSetCookie()).toEqual([]);
  expect(await read("/login", "svc_theme=%22%3E%3Cscript%3E")).toContain('<html lang="en">');
});
