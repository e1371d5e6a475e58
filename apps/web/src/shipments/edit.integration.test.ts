import { beforeAll, expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { addShipment } from "../testing/add-shipment.ts";
import { originalFields } from "../testing/original-fields.ts";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const app = started(() => startTestWeb({ withApi: true }));
let cookie: string;

const account = started(() => app.addAccount());
beforeAll(async () => {
  cookie = await app.logIn(account);
});

const post = (path: string, form: Readonly<Record<string, string>>) =>
  app.request(path, { headers: { cookie, "sec-fetch-site": "same-origin" }, form });

test("edits references and tags as lists and shows problems at their field", async () => {
  const { id } = await addShipment(app.database, account.id, { number: "EDIT1", refNumbers: ["PO-1, part 2"] });
  const path = `/shipments/${id}/edit`;
  const markup = await (await app.request(path, { headers: { cookie } })).text();
  expect(markup).toContain(">PO-1, part 2</textarea>");
  const before = originalFields(markup);
  expect(before).toMatchObject({ "before-references": "PO-1, part 2", "before-note": "" });

  const refused = await post(path, { ...before, references: "PO-9", tags: `urgent, ${"x".repeat(51)}` });
  expect(refused.status).toBe(422);
  const pageMarkup = await refused.text();
  expect(pageMarkup).toMatch(/id="tags-problem">[^<]+</);
  expect(pageMarkup).toContain(">PO-9</textarea>");

  const saved = await post(path, { ...before, references: "PO-9\r\n\r\nPO-10", tags: "urgent, reefer\nurgent" });
  expect([saved.status, saved.headers.get("location")]).toEqual([303, `/shipments/${id}`]);
  expect(await app.database.prisma.shipment.findFirst({ where: { id } })).toMatchObject({
    refNumbers: ["PO-9", "PO-10"],
    tags: ["urgent", "reefer"],
  });

  await app.database.prisma.shipment.updateMany({ where: { id }, data: { tags: ["Acme, Inc"] } });
  const later = originalFields(await (await app.request(path, { headers: { cookie } })).text());
  await post(path, { ...later, references: "PO-9\nPO-10", tags: "Acme, Inc\nurgent, reefer" });
  expect(await app.database.prisma.shipment.findFirst({ where: { id } })).toMatchObject({
    tags: ["Acme, Inc", "urgent", "reefer"],
  });
});

test("a save over a colleague's names what they changed, and a second save removes none of it", async () => {
  const { id } = await addShipment(app.database, account.id, { number: "EDIT8", refNumbers: ["PO-1"] });
  const path = `/shipments/${id}/edit`;
  const opened = originalFields(await (await app.request(path, { headers: { cookie } })).text());
  const columns = async () =>
    (await app.database.pool.query("SELECT ref_numbers, tags, note FROM shipments WHERE id = $1", [id])).rows[0];
  const colleague = { references: "PO-1\r\nPO-2", tags: "hot", note: "Theirs" };
  expect((await post(path, { ...opened, ...colleague })).status).toBe(303);

  const ownEdit = { ...opened, references: "PO-1", tags: "mine", note: "Call <first>" };
  const refused = await post(path, ownEdit);
  expect(refused.status).toBe(412);
  const markup = await refused.text();
  expect(visibleText(markup)).toContain(
    "The shipment was changed while you edited it. Nothing is saved yet. References: now PO-1, PO-2. " +
      "Tags: now hot. Note: now Theirs.",
  );
  expect(markup).toContain(">PO-1\nPO-2</textarea>");
  expect(markup).toContain(">hot\nmine</textarea>");
  expect(markup).toContain(">Call &lt;first&gt;</textarea>");
  expect(await columns()).toEqual({ ref_numbers: ["PO-1", "PO-2"], tags: ["hot"], note: "Theirs" });

  const again = { ...originalFields(markup), references: "PO-1\nPO-2", tags: "hot\nmine", note: "Call <first>" };
  expect((await post(path, again)).status).toBe(303);
  expect(await columns()).toEqual({ ref_numbers: ["PO-1", "PO-2"], tags: ["hot", "mine"], note: "Call <first>" });
});

test("a shipment that its carrier updates meanwhile is saved at once", async () => {
  const { id } = await addShipment(app.database, account.id, { number: "EDIT9" });
  const path = `/shipments/${id}/edit`;
  const opened = originalFields(await (await app.request(path, { headers: { cookie } })).text());
  await app.database.pool.query("UPDATE shipments SET row_version = row_version + 1 WHERE id = $1", [id]);
  expect((await post(path, { ...opened, references: "PO-3", tags: "", note: "" })).status).toBe(303);
});

test("a note is saved with its lines, shown to the account and removed when it is empty", async () => {
  const { id } = await addShipment(app.database, account.id, { number: "EDIT5" });
  const path = `/shipments/${id}/edit`;
  const get = async (address: string) => (await app.request(address, { headers: { cookie } })).text();
  const save = async (note: string) =>
    post(path, { ...originalFields(await get(path)), references: "", tags: "", note });
  expect((await save("Gate 4 <b>\r\nCall first\r\n")).status).toBe(303);
  expect(await get(`/shipments/${id}`)).toContain("Gate 4 &lt;b&gt;\nCall first</p>");
  expect(await get(path)).toContain("Gate 4 &lt;b&gt;\nCall first</textarea>");
  const long = await save("x".repeat(2_001));
  expect([long.status, await long.text()]).toEqual([422, expect.stringContaining('id="note-problem"')]);
  expect((await save(" ")).status).toBe(303);
  expect(await get(`/shipments/${id}`)).not.toContain('class="note"');
});

test("no save is lost while others save", async () => {
  const { id } = await addShipment(app.database, account.id, { number: "EDIT4" });
  const path = `/shipments/${id}/edit`;
  const colleagueValues = Array.from({ length: 15 }, (_, at) => `OF-${at}`);
  const others = (async () => {
    const sql =
      "UPDATE shipments SET row_version = row_version + 1, ref_numbers = ref_numbers || $2::text WHERE id = $1";
    for (const one of colleagueValues) {
      await app.database.pool.query(sql, [id, one]);
      await (await app.request(path, { headers: { cookie } })).text();
    }
  })();
  const ownValues: string[] = [];
  for (let at = 0; at < 15; at++) {
    const before = originalFields(await (await app.request(path, { headers: { cookie } })).text());
    const references = `${before["before-references"]}\nMY-${at}`;
    const { status } = await post(path, { ...before, references, tags: "", note: "" });
    expect([303, 412]).toContain(status);
    if (status === 303) ownValues.push(`MY-${at}`);
  }
  await others;
  const { refNumbers } = await app.database.prisma.shipment.findFirstOrThrow({ where: { id } });
  expect(refNumbers.toSorted()).toEqual([...ownValues, ...colleagueValues].sort());
});

test("tracking is stopped and resumed", async () => {
  const { id } = await addShipment(app.database, account.id, { number: "EDIT2" });
  const actions = async () =>
    /<div class="actions">.*?<\/div>/s.exec(
      await (await app.request(`/shipments/${id}`, { headers: { cookie } })).text(),
    );
  expect((await actions())?.[0]).toContain("Stop tracking");
  expect((await post(`/shipments/${id}/tracking`, { action: "stop" })).status).toBe(303);
  expect((await actions())?.[0]).not.toContain("Stop tracking");
  const stopped = visibleText(await (await app.request(`/shipments/${id}`, { headers: { cookie } })).text());
  expect(stopped).toMatch(
    new RegExp(`Tracking stopped by ${account.email} on \\w{3}, \\d+ \\w{3} \\d{4}, \\d{2}:\\d{2} UTC \\.`),
  );
  await app.database.prisma.shipment.updateMany({
    where: { id },
    data: { lineTrackingStoppedByUserId: uuidV7.next() },
  });
  const byOther = visibleText(await (await app.request(`/shipments/${id}`, { headers: { cookie } })).text());
  expect(byOther).toMatch(/Tracking stopped on .* UTC : stopped by a user\./);
  expect((await post(`/shipments/${id}/tracking`, { action: "resume" })).status).toBe(303);
  expect(visibleText(await (await app.request(`/shipments/${id}`, { headers: { cookie } })).text())).not.toContain(
    "Tracking stopped",
  );
});

test("the JSON that the API answers is shown to signed-in users, of their own shipments", async () => {
  const { id } = await addShipment(app.database, account.id, { number: "EDIT<4>", containers: ["EDIU1000001"] });
  const response = await app.request(`/shipments/${id}/json`, { headers: { cookie } });
  expect(response.status).toBe(200);
  const text = /id="shipment-json">([^<]*)</.exec(await response.text())?.[1] ?? "";
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

test("the page shows how to mention a member, and a mention of one stands out as text", async () => {
  const { id } = await addShipment(app.database, account.id, { number: "EDIT6" });
  const path = `/shipments/${id}/edit`;
  const get = async (address: string) => (await app.request(address, { headers: { cookie } })).text();
  const markup = await get(path);
  expect(markup).toContain("to notify a member");
  const note = `<i> @${account.email} and @nobody@example.com`;
  await post(path, { ...originalFields(markup), references: "", tags: "", note });
  const pageMarkup = await get(`/shipments/${id}`);
  expect(pageMarkup).toContain(`&lt;i&gt; <strong class="mention">@${account.email}</strong> and @nobody@example.com`);
});

test("the field of the note suggests members, and a mention of none is said after saving", async () => {
  const own = await app.addAccount();
  const ownCookie = await app.logIn(own);
  const colleague = await app.addMember(own, "operator");
  const { id } = await addShipment(app.database, own.id, { number: "EDIT9" });
  const get = async (address: string) => (await app.request(address, { headers: { cookie: ownCookie } })).text();
  const path = `/shipments/${id}/edit`;
  const markup = await get(path);
  expect(markup).toMatch(new RegExp(`<datalist data-mentions-of="note">.*<option value="${colleague.email}">`));
  const save = async (note: string) => {
    const form = { ...originalFields(await get(path)), references: "", tags: "", note };
    const saved = await app.request(path, { headers: { cookie: ownCookie, "sec-fetch-site": "same-origin" }, form });
    return saved.headers.get("location") ?? "";
  };
  const [name = ""] = colleague.email.split("@");
  const after = await save(`Ask @${name} and @nora`);
  expect(after).toBe(`/shipments/${id}?done=note`);
  const pageMarkup = await get(after);
  expect(visibleText(pageMarkup)).toContain("No member is called @nora: no mail was sent.");
  expect(pageMarkup).toContain(`<strong class="mention">@${name}</strong> and @nora`);
  expect(visibleText(await get(`/shipments/${id}`))).not.toContain("No member is called");
  expect(visibleText(await get(await save(`Ask @${name}`)))).not.toContain("No member is called");
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
