import fs from "node:fs";
import { beforeAll, expect, test } from "@jest/globals";
import { eventually } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { startCommand, svcSource } from "./harness/command-line.ts";
import { CookieBrowser } from "./harness/cookie-browser.ts";
import { sandboxClock } from "./harness/sandbox-clock.ts";
import { startSystem, temporaryFolder } from "./harness/system.ts";

const timeoutMs = 600_000;
const dataDir = temporaryFolder();
const browser = new CookieBrowser("http://no-application.example/");

const system = started(() => startSystem({ dataDir, args: ["--queue", "postgres"] }));
beforeAll(async () => {
  const { app, login } = system.runtime();
  await browser.open(`${app}/login`, login);
}, timeoutMs);

/** The texts of all mails to the demo user, as the page shows them, the newest first. */
async function mails(): Promise<string[]> {
  const { app, mail = "" } = system.runtime();
  const { text } = await browser.open(mail);
  const links = [...text.matchAll(/href="(\/account\/mail\/[\w-]+)"/g)].map(([, path]) => `${app}${path}`);
  return Promise.all(links.map(async (link) => (await browser.open(link)).text.replaceAll("&quot;", '"')));
}

const subscribe = async (name: string): Promise<string> => {
  const { email } = system.runtime().login;
  const attributes = { name, channel: "email", member: email, frequency: "at_once" };
  const { status, body } = await system.api.create("/alert_subscriptions", "alert_subscription", attributes);
  expect(status).toBe(201);
  return body.data.id;
};

const openExceptions = async (): Promise<string[]> =>
  (await system.api.get("/exceptions?filter[status]=open&page[size]=100")).body.data.map(({ id }) => id);

/** Long enough for a mail, in which a voyage must not go on: an exception that is over is not mailed. */
const mailTimeMs = 45_000;

/** Half a day of the voyages at a time, until a mail of an alert has arrived. */
async function sailUntilMail(alert: string): Promise<string> {
  const known = new Set(await openExceptions());
  let waitsUntil = 0;
  return eventually(
    `a mail of ${alert} arrives`,
    async () => {
      const mail = (await mails()).find((text) => text.includes(`alert "${alert}"`));
      if (mail !== undefined) return mail;
      const opened = (await openExceptions()).filter((id) => !known.has(id));
      for (const id of opened) known.add(id);
      if (opened.length > 0) waitsUntil = performance.now() + mailTimeMs;
      if (performance.now() > waitsUntil) {
        await sandboxClock.advance(system, "12h");
      }
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      return undefined;
    },
    240_000,
  );
}

const track = (request_number: string) =>
  system.api.create("/tracking_requests", "tracking_request", {
    request_type: "bill_of_lading",
    request_number,
    scac: "SBXL",
  });

test(
  "an exception is mailed, the mail leads to its page, and its link unsubscribes",
  async () => {
    const { app } = system.runtime();
    const id = await subscribe("First");
    await track("SBXHLD000123");
    const mail = await sailUntilMail("First");

    const page = new RegExp(`href="(${app}/attention/[\\w-]{36})"`).exec(mail)?.[1] ?? "";
    expect(await browser.open(page)).toMatchObject({ url: page, status: 200 });
    const link = new RegExp(`href="(${app}/alerts/unsubscribe/[\\w-]+)"`).exec(mail)?.[1] ?? "";
    // A mail program follows the link, without the session of the member.
    expect(await (await fetch(link)).text()).toContain("Unsubscribe from “First”?");
    expect((await fetch(link, { method: "POST" })).status).toBe(200);
    const { body } = await system.api.get(`/alert_subscriptions/${id}`);
    expect(body.data.attributes).toMatchObject({ active: false, unsubscribed_at: expect.any(String) });

    const before = (await mails()).filter((text) => text.includes('alert "First"')).length;
    await subscribe("Second");
    await track("SBXHLD000456");
    await sailUntilMail("Second");
    expect((await mails()).filter((text) => text.includes('alert "First"'))).toHaveLength(before);
  },
  timeoutMs,
);

test("mails are read by their recipient only", async () => {
  const { mail = "" } = system.runtime();
  const [path = ""] = /\/account\/mail\/[\w-]+/.exec((await browser.open(mail)).text) ?? [];
  const address = new URL(path, mail).href;
  expect((await browser.open(address)).status).toBe(200);
  expect((await fetch(address, { redirect: "manual" })).headers.get("location")).toMatch(/^\/login/);
  expect((await browser.open(`${mail}/..%2f..%2fsecrets`)).status).toBe(404);
  const file = `${dataDir}/mails/${path.split("/").at(-1)}.eml`;
  fs.writeFileSync(file, fs.readFileSync(file, "utf8").replace("demo@example.com", "eve@example.com"));
  expect((await browser.open(address)).status).toBe(404);
});

test("svc alerts creates, tests, pauses and deletes one", async () => {
  const { apiBaseUrl, token, login } = system.runtime();
  const environment = { SVC_API_TOKEN: token, SVC_API_BASE_URL: apiBaseUrl };
  const svc = (args: readonly string[], input = "") =>
    startCommand(process.execPath, [svcSource, "alerts", ...args], { environment, cwd: dataDir, input }).outcome;
  const digest = ["--daily", "--hour", "7", "--time-zone", "Europe/Berlin", "--kinds", "fee", "hold"];
  const created = JSON.parse((await svc(["create", "Fees", "--email", login.email, ...digest])).stdout);
  expect(created).toMatchObject({ frequency: "daily", hour: 7, kinds: ["fee", "hold"], member: login.email });
  expect(await svc(["test", created.id])).toMatchObject({ code: 0, stderr: "The test message was accepted.\n" });
  expect((await mails())[0]).toContain("Test alert: Fees");
  expect(JSON.parse((await svc(["pause", created.id])).stdout).active).toBe(false);

  const mailbox = JSON.parse((await svc(["create", "Team mail", "--mailbox", "team@example.com"])).stdout);
  expect(mailbox).toMatchObject({ channel: "email", member: null, mailbox: "team@example.com", active: false });
  expect((await svc(["resume", mailbox.id])).stderr).toContain("has confirmed");

  const channel = JSON.parse((await svc(["create", "Team", "--slack"], "http://127.0.0.1:9/secret\n")).stdout);
  expect([channel.channel, JSON.stringify(channel).includes("secret")]).toEqual(["slack", false]);
  const failed = await svc(["test", channel.id]);
  expect([failed.code, failed.stderr]).toEqual([5, expect.stringContaining("The test message was not sent.")]);
  expect((await svc(["create", "Nobody"])).stderr).toContain("Say who is alerted");
  expect((await svc(["delete", created.id, mailbox.id, channel.id])).code).toBe(0);
  expect((await svc(["get", created.id])).code).toBe(4);
}, 120_000);
