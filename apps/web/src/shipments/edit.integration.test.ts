import { beforeAll, expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";
import { words } from "../testing/words.ts";

const app = started(() => startTestWeb({ withApi: true }));
let cookie: string;

const account = started(() => app.addAccount());
beforeAll(async () => {
  cookie = await app.logIn(account);
});

const post = (path: string, form: Readonly<Record<string, string>>) =>
  app.request(path, { headers: { cookie, "sec-fetch-site": "same-origin" }, form });
const versionOf = (markup: string): string =>
  /name="version" value="([^"]*)"/.exec(markup)?.[1]?.replaceAll("&quot;", '"') ?? "";

test("edits references and tags as lists, shows problems at their field and refuses to overwrite a later version", async () => {
  const { id } = await addShipment(app.database, account.id, { number: "EDIT1", refNumbers: ["PO-1, part 2"] });
  const path = `/shipments/${id}/edit`;
  const markup = await (await app.request(path, { headers: { cookie } })).text();
  expect(markup).toContain(">PO-1, part 2</textarea>");
  const version = versionOf(markup);
  expect(version).toMatch(/^"\d+-/);

  const twice = await post(path, { references: "PO-9", tags: "urgent\nurgent", version });
  expect(twice.status).toBe(422);
  expect(await twice.text()).toMatch(/id="problem-tags">[^<]+</);

  const saved = await post(path, { references: "PO-9\r\n\r\nPO-10", tags: "urgent", version });
  expect([saved.status, saved.headers.get("location")]).toEqual([303, `/shipments/${id}`]);
  expect(await app.database.prisma.shipment.findFirst({ where: { id } })).toMatchObject({
    refNumbers: ["PO-9", "PO-10"],
    tags: ["urgent"],
  });

  const late = await post(path, { references: "MINE", tags: "", version });
  expect(late.status).toBe(412);
  const again = await late.text();
  expect(again).toContain(">MINE</textarea>");
  expect((await post(path, { references: "MINE", tags: "", version: versionOf(again) })).status).toBe(303);
});

test("a note is saved with its lines, shown to the account and removed when it is empty [issue 19.12]", async () => {
  const { id } = await addShipment(app.database, account.id, { number: "EDIT5" });
  const path = `/shipments/${id}/edit`;
  const get = async (address: string) => (await app.request(address, { headers: { cookie } })).text();
  const save = async (note: string) =>
    post(path, { references: "", tags: "", note, version: versionOf(await get(path)) });
  expect((await save("Gate 4 <b>\r\nCall first\r\n")).status).toBe(303);
  expect(await get(`/shipments/${id}`)).toContain("Gate 4 &lt;b&gt;\nCall first</p>");
  expect(await get(path)).toContain("Gate 4 &lt;b&gt;\nCall first</textarea>");
  const long = await save("x".repeat(2_001));
  expect([long.status, await long.text()]).toEqual([422, expect.stringContaining('id="problem-note"')]);
  expect((await save(" ")).status).toBe(303);
  expect(await get(`/shipments/${id}`)).not.toContain('class="note"');
});

test("what stands in the form is what its version had, while others save", async () => {
  const { id } = await addShipment(app.database, account.id, { number: "EDIT4" });
  let isOver = false;
  const others = (async () => {
    while (!isOver) {
      await app.database.pool.query(
        "UPDATE shipments SET row_version = row_version + 1, ref_numbers = ARRAY['OF-' || row_version + 1] WHERE id = $1",
        [id],
      );
    }
  })();
  try {
    for (let time = 0; time < 30; time++) {
      const markup = await (await app.request(`/shipments/${id}/edit`, { headers: { cookie } })).text();
      const [, version = ""] = /^"(\d+)-/.exec(versionOf(markup)) ?? [];
      const [, reference] = /<textarea id="references"[^>]*>([^<]*)</.exec(markup) ?? [];
      expect(reference).toBe(version === "1" ? "" : `OF-${version}`);
    }
  } finally {
    isOver = true;
    await others;
  }
});

test("tracking is stopped and resumed", async () => {
  const { id } = await addShipment(app.database, account.id, { number: "EDIT2" });
  expect((await post(`/shipments/${id}/tracking`, { action: "stop" })).status).toBe(303);
  const stopped = words(await (await app.request(`/shipments/${id}`, { headers: { cookie } })).text());
  expect(stopped).toMatch(
    new RegExp(`Tracking stopped by ${account.email}, \\w{3}, \\d+ \\w{3} \\d{4}, \\d{2}:\\d{2} UTC \\.`),
  );
  await app.database.prisma.shipment.updateMany({
    where: { id },
    data: { lineTrackingStoppedByUserId: uuidV7.next() },
  });
  const byOther = words(await (await app.request(`/shipments/${id}`, { headers: { cookie } })).text());
  expect(byOther).toMatch(/Tracking stopped: stopped by a user\. Since .* UTC \./);
  expect((await post(`/shipments/${id}/tracking`, { action: "resume" })).status).toBe(303);
  expect(words(await (await app.request(`/shipments/${id}`, { headers: { cookie } })).text())).not.toContain(
    "Tracking stopped",
  );
});

test("the JSON that the API answers is shown to signed-in users, of their own shipments", async () => {
  const { id } = await addShipment(app.database, account.id, { number: "EDIT<4>", containers: ["EDIU1000001"] });
  const answer = await app.request(`/shipments/${id}/json`, { headers: { cookie } });
  expect(answer.status).toBe(200);
  const text = /id="shipment-json">([^<]*)</.exec(await answer.text())?.[1] ?? "";
  const plain = text.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
  expect(JSON.parse(plain)).toMatchObject({
    data: { id, type: "shipment", attributes: { bill_of_lading_number: "EDIT<4>" } },
    included: [{ type: "container", attributes: { number: "EDIU1000001" } }],
  });
  const other = await app.visit(await app.addAccount());
  for (const path of [`/shipments/${id}/json`, "/shipments/1/json"]) expect((await other.get(path)).status).toBe(404);
});

test("another account's shipment is not found, and another site cannot send the forms", async () => {
  const other = await app.addAccount();
  const { id } = await addShipment(app.database, other.id, { number: "EDIT3" });
  expect((await app.request(`/shipments/${id}/edit`, { headers: { cookie } })).status).toBe(404);
  expect((await post(`/shipments/${id}/edit`, { references: "X" })).status).toBe(404);
  expect((await post(`/shipments/${id}/tracking`, { action: "stop" })).status).toBe(404);
  const foreign = { headers: { cookie, "sec-fetch-site": "cross-site" }, form: { action: "stop" } };
  expect((await app.request(`/shipments/${id}/tracking`, foreign)).status).toBe(403);
});

test("the page shows how to mention a member, and a mention of one stands out as text [issue 17]", async () => {
  const { id } = await addShipment(app.database, account.id, { number: "EDIT6" });
  const path = `/shipments/${id}/edit`;
  const get = async (address: string) => (await app.request(address, { headers: { cookie } })).text();
  const markup = await get(path);
  expect(markup).toContain("notifies them by email");
  const note = `<i> @${account.email} and @nobody@example.com`;
  await post(path, { references: "", tags: "", note, version: versionOf(markup) });
  const shown = await get(`/shipments/${id}`);
  expect(shown).toContain(`&lt;i&gt; <strong class="mention">@${account.email}</strong> and @nobody@example.com`);
});

test("without configured mail the page does not show how to mention", async () => {
  const silent = await startTestWeb({ withApi: true, sendsMail: false });
  try {
    const own = await silent.addAccount();
    const { id } = await addShipment(silent.database, own.id, { number: "EDIT7" });
    const page = await silent.request(`/shipments/${id}/edit`, { headers: { cookie: await silent.logIn(own) } });
    expect([page.status, await page.text()]).toEqual([200, expect.not.stringContaining("notifies them")]);
  } finally {
    await silent.close();
  }
});
