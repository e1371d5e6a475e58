import { describe, expect, test } from "@jest/globals";
import { webhookEventNames } from "@svc/domain/webhooks";
import { started } from "@svc/testkit/started";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";

const app = started(() => startTestWeb({ withApi: true }));

const visitor = started(async () => app.visit(await app.addAccount()));

const textOf = async (address: string) => (await visitor.get(address)).text();

describe("the catalogue of events", () => {
  test("links to a sample of every event that the account can receive", async () => {
    const catalogue = await textOf("/developers/events");
    const names = [...catalogue.matchAll(/href="\/developers\/events\/([\w.]+)"/g)].map(([, name = ""]) => name);
    // Events of a paid feature are not offered to an account without it, and those that are not sent yet to none.
    const hidden = ["container.pickup_lfd_rail.changed", "container.transport.delivered"];
    expect(names).toEqual(webhookEventNames.filter((name) => !hidden.includes(name)));
    expect(catalogue).toContain("<code>container.<wbr>pickup_<wbr>lfd.<wbr>changed</code></a>");
    for (const name of names) {
      const page = await textOf(`/developers/events/${name}`);
      const sample = /<pre tabindex="0" id="sample">([^<]*)<\/pre>/.exec(page)?.[1]?.replaceAll("&quot;", '"') ?? "";
      expect(sample).toContain(`"event": "${name}"`);
    }
  });

  test("has an event that is not sent yet only where a webhook names it", async () => {
    const delivered = "container.transport.delivered";
    const subscriber = await app.visit(await app.addAccount());
    const form = async () => (await subscriber.get("/developers/webhooks/new")).text();
    expect(await form()).not.toContain(`value="${delivered}"`);
    const [, key = ""] = /name="key" value="([^"]*)"/.exec(await form()) ?? [];
    const webhook = { key, url: "https://example.com/hook", events: [delivered], headers: "", rateLimit: "" };
    expect((await subscriber.post("/developers/webhooks", webhook)).status).toBe(201);
    expect(await (await subscriber.get("/developers/events")).text()).toContain(`/developers/events/${delivered}"`);
  });

  test("answers 404 for an unknown event", async () => {
    expect((await visitor.get("/developers/events/x")).status).toBe(404);
    expect((await visitor.get("/developers/events/container.pickup_lfd_rail.changed")).status).toBe(404);
  });
});

test("the page for MCP clients has the URL of this installation", async () => {
  const page = await textOf("/developers/mcp");
  expect(page).toContain("http://localhost:4001/mcp");
  expect(page).toContain("claude mcp add");
  expect(page).toMatch(/href="cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?[^"]+">Add to Cursor</);
  expect(page).toMatch(/href="vscode:mcp\/install\?[^"]+">Add to VS Code</);
});

test("the page for MCP clients has questions to copy, about the newest container of the account", async () => {
  const questions = (page: string) =>
    [...page.matchAll(/<pre tabindex="0" id="question-\d">([^<]*)<\/pre>/g)].map(([, text]) => text);
  const account = await app.addAccount();
  const member = await app.visit(account);
  const read = async () => questions(await (await member.get("/developers/mcp")).text());
  const [first, ...others] = await read();
  expect([first, others.length]).toEqual(["Which containers arrive this week?", 2]);
  await addShipment(app.database, account.id, { number: "QUESTION1", containers: ["MSKU1234565"] });
  expect(await read()).toEqual(["Where is container MSKU1234565, and when does it arrive?", first, others[0]]);
});

test("the overview links to the API reference, and the tabs to a redirect to it", async () => {
  expect(await textOf("/developers")).toContain('href="http://localhost:4000/docs"');
  expect(await textOf("/developers/events")).toContain('href="/developers/api-reference"');
  const redirect = await visitor.get("/developers/api-reference");
  expect([redirect.status, redirect.headers.get("location")]).toEqual([302, "http://localhost:4000/docs"]);
});
