import { beforeAll, describe, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { addException } from "../testing/add-exception.ts";
import { addShipment } from "../testing/add-shipment.ts";
import { originalFields } from "../testing/original-fields.ts";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const app = started(() => startTestWeb({ withApi: true }));
const account = started(() => app.addAccount());
const visitor = started(() => app.visit(account));
const shipment = started(() =>
  addShipment(app.database, account.id, { number: "URGE1", containers: ["URGU1000002", "URGU1000003"] }),
);
const ids = { over: "", hold: "" };

beforeAll(async () => {
  const [first = "", second = ""] = shipment.containerIds;
  const keys = (containerId: string) => ({ containerId, subjectId: containerId, shipmentId: shipment.id });
  const amounts = [{ amount: 600, currencyCode: "USD" }];
  const details = { days: 4, lastFreeDay: "2026-06-06", amounts, perDay: { amount: 150, currencyCode: "USD" } };
  const kinds = { over: "last_free_day_over", hold: "customs_hold" };
  ids.over = await addException(app.database, account.id, { ...keys(first), kind: kinds.over, details });
  const held = { holds: ["customs"] };
  ids.hold = await addException(app.database, account.id, { ...keys(second), kind: kinds.hold, details: held });
});

const read = async (path: string, reader = visitor): Promise<string> => (await reader.get(path)).text();
const act = (id: string, form: Record<string, string>) => visitor.post(`/attention/${id}`, form);

test("the page says what the exception is about, what decides and its actions once", async () => {
  const [first = ""] = shipment.containerIds;
  const day = new Date("2026-06-06T00:00:00Z");
  await app.database.prisma.container.updateMany({ where: { id: first }, data: { pickupLfdTerminal: day } });
  const markup = await read(`/attention/${ids.over}`);
  expect(visibleText(/<h1>.*?<\/h1>/s.exec(markup)?.[0] ?? "").trim()).toBe(
    "URGU1000002 · Last free day was 4 days ago",
  );
  const pageText = visibleText(markup);
  expect(pageText).toContain("Shipment URGE1 ·");
  expect(pageText).toMatch(/Critical No owner · opened 1 \w+ ago \(/);
  expect(pageText).toMatch(
    /Pickup Available for pickup Not known Last free day \w+, 6 Jun 2026 .* Charges 600.00 USD 150.00 USD per day/,
  );
  expect(markup.indexOf("<h2>Pickup</h2>")).toBeLessThan(markup.indexOf("<h2>Voyage</h2>"));
  expect(markup.indexOf("<h2>Voyage</h2>")).toBeLessThan(markup.indexOf('id="handle"'));
  expect(markup.match(/value="resolve"/g)).toHaveLength(1);
  expect(pageText).not.toContain("Kind Last free day over");
});

test("the page says the next step of a pickup, and what each further day costs", async () => {
  const [first = ""] = shipment.containerIds;
  const set = (data: object) => app.database.prisma.container.updateMany({ where: { id: first }, data });
  const next = async () =>
    /Next: [^.]*\.\d\d USD\./.exec(visibleText(await read(`/attention/${ids.over}`)))?.[0] ?? null;
  expect(await next()).toBeNull();
  await set({ availableForPickup: true, availabilityKnown: true });
  expect(await next()).toBe("Next: book a pickup; each further day costs 150.00 USD.");
  await set({ holdsAtPodTerminal: [{ name: "customs", status: "hold", description: null }] });
  expect(await next()).toBe("Next: get the customs hold released; each further day costs 150.00 USD.");
  const holds = ["customs", "USDA"].map((name) => ({ name, status: "hold", description: null }));
  await set({ holdsAtPodTerminal: holds });
  expect(await next()).toBe("Next: get the customs and USDA holds released; each further day costs 150.00 USD.");
  await set({ holdsAtPodTerminal: [], pickupAppointmentAt: new Date(Date.now() - 86_400_000) });
  expect(await next()).toBe("Next: book a new pickup; each further day costs 150.00 USD.");
  await set({ pickupAppointmentAt: new Date("2099-06-07T07:30:00Z") });
  expect(await next()).toBe(
    "Next: pick it up at the appointment, Sun, 7 Jun 2099, 09:30 CEST ; each further day costs 150.00 USD.",
  );
  await set({ availableForPickup: null, availabilityKnown: false, pickupAppointmentAt: null });
});

test("the page of a hold has what its container is charged, by its other exceptions", async () => {
  const [first = ""] = shipment.containerIds;
  const set = (data: object) => app.database.prisma.container.updateMany({ where: { id: first }, data });
  const hold = { name: "customs", status: "hold", description: null };
  const fees = Object.entries({ demurrage: 600, exam: 85 }).map(([type, amount]) => ({
    type,
    amount,
    currencyCode: "USD",
  }));
  await set({ holdsAtPodTerminal: [hold], feesAtPodTerminal: fees });
  const keys = { containerId: first, subjectId: first, shipmentId: shipment.id };
  const details = { holds: ["customs"] };
  const id = await addException(app.database, account.id, { ...keys, kind: "customs_hold", details });
  const held = visibleText(await read(`/attention/${id}`));
  expect(held).toContain("Next: get the customs hold released; each further day costs 150.00 USD.");
  expect(held).toContain("Charges 685.00 USD 150.00 USD per day Demurrage 600.00 USD Exam fee 85.00 USD");
  expect(held).not.toContain("Charges by the terminal");
  await set({ holdsAtPodTerminal: [], feesAtPodTerminal: [] });
});

test("the page of a delay begins with the new and the original ETA, and has the pickup below them", async () => {
  const [first = ""] = shipment.containerIds;
  const keys = { containerId: first, subjectId: first, shipmentId: shipment.id };
  const id = await addException(app.database, account.id, { ...keys, kind: "eta_delay", details: { days: 3 } });
  const markup = await read(`/attention/${id}`);
  expect(visibleText(markup)).toMatch(/Voyage .* 5 Jul 2026, 12:00 CEST .* Original ETA \w+, 2 Jul 2026, 12:00 CEST/);
  expect(markup.indexOf("<h2>Voyage</h2>")).toBeLessThan(markup.indexOf("<h2>Pickup</h2>"));
  expect(visibleText(markup)).toMatch(/Pickup .* Last free day \w+, 6 Jun 2026/);
});

/** The action of the button that Enter in an input of the form presses. */
const firstSubmit = (markup: string) => /<button[^>]* value="(\w+)" form="handle"/.exec(markup)?.[1];

describe("the menus and the form of the page, without JavaScript", () => {
  test("is assigned and snoozed by the menus of its page, which also save the note", async () => {
    await app.addMember(account, "operator");
    const page = await read(`/attention/${ids.over}`);
    expect(page).toMatch(/<button[^>]* value="take" form="handle">Assign to me/);
    expect(page).toMatch(/<input id="owner" name="owner"[^>]* form="handle"/);
    expect(visibleText(page)).toContain("Snooze For 1 day For 3 days For 7 days Snooze until Until the date Resolve");
    const note = "  Truck booked <b>10:00</b> ";
    const assigned = await act(ids.over, { action: "assign", owner: account.email, note });
    expect(assigned.headers.get("location")).toBe(`/attention/${ids.over}?done=assign`);
    const markup = await read(`/attention/${ids.over}`);
    expect(markup).toContain("Truck booked &lt;b&gt;10:00&lt;/b&gt;");
    expect(visibleText(markup)).toContain(`Owner ${account.email}`);
    expect(markup).not.toContain('value="take"');
    for (const one of [page, markup]) expect(firstSubmit(one)).toBe("assign");
    const snoozed = await act(ids.over, { action: "snooze_3", owner: "", note });
    expect(visibleText(await read(snoozed.headers.get("location") ?? ""))).toContain("Snoozed for 3 days.");
    const { snoozedUntil } = await app.database.prisma.exception.findFirstOrThrow({ where: { id: ids.over } });
    expect(Math.round(((snoozedUntil?.getTime() ?? 0) - Date.now()) / 86_400_000)).toBe(3);
    await act(ids.over, { action: "open" });
    await act(ids.over, { action: "release", owner: "", note: "" });
    expect(visibleText(await read("/attention?owner=none"))).toContain("URGU1000002");
  });

  test("shows a refused edit with what was entered", async () => {
    const input = { action: "assign", owner: "stranger@example.com", note: "Truck booked" };
    const refused = await act(ids.over, input);
    const markup = await refused.text();
    expect([refused.status, visibleText(markup)]).toEqual([422, expect.stringContaining("No member of this account")]);
    expect(markup).toMatch(/<details class="popover choices-menu" id="assign" data-closes open>/);
    expect(markup).toMatch(/<input id="owner"[^>]* value="stranger@example.com"/);
    expect(markup).toContain("Truck booked</textarea>");
  });
});

test("the page of an exception shows how to mention, and shows a note as text with its mentions", async () => {
  expect(await read(`/attention/${ids.hold}`)).toContain("to notify a member");
  await visitor.post(`/attention/${ids.hold}`, {
    action: "save",
    note: `<i> @${account.email} and @nobody@example.com`,
  });
  const mention = `&lt;i&gt; <strong class="mention">@${account.email}</strong> and @nobody@example.com`;
  expect(await read(`/attention/${ids.hold}`)).toContain(mention);
  const viewer = await app.visit(await app.addMember(account, "viewer"));
  const viewerPage = await read(`/attention/${ids.hold}`, viewer);
  expect(viewerPage).toContain(`<dt>Note</dt><dd><span class="note">${mention}`);
  expect(viewerPage).not.toContain('form="handle"');
});

test("after saving a note says which mentions notified no member", async () => {
  const markup = await read(`/attention/${ids.hold}`);
  expect(markup).toContain(`<option value="${account.email}">`);
  const form = { action: "save", ...originalFields(markup), note: "Ask @<b>nora, @nora" };
  const saved = await visitor.post(`/attention/${ids.hold}`, form);
  const detail = visibleText(await read(saved.headers.get("location") ?? ""));
  expect(detail).toContain("The note is saved. No member is called @nora: no mail was sent.");
  expect(visibleText(await read(`/attention/${ids.hold}?done=save`))).not.toContain("No member is called");
});

test("saving an exception over a colleague's note names it, and keeps the owner that was chosen", async () => {
  const path = `/attention/${ids.over}`;
  const save = (form: Record<string, string>) => visitor.post(path, { action: "save", ...form });
  await visitor.post(path, { action: "release" });
  const opened = originalFields(await read(path));
  expect((await save({ ...opened, note: "Truck booked" })).status).toBe(303);
  const assignment = { action: "assign", owner: account.email };
  const refused = await save({ ...opened, ...assignment, note: opened["before-note"] ?? "" });
  expect(refused.status).toBe(412);
  const markup = await refused.text();
  expect(visibleText(markup)).toContain("Note: now Truck booked.");
  expect(markup).toMatch(new RegExp(`<input id="owner"[^>]* value="${account.email}"`));
  expect((await save({ ...originalFields(markup), ...assignment, note: "Truck booked" })).status).toBe(303);
  const saved = await app.database.prisma.exception.findFirst({ where: { id: ids.over } });
  expect([saved?.note, saved?.ownerUserId === null]).toEqual(["Truck booked", false]);
});

test("an assignment over that of a colleague is refused on the page, and a note is saved beside it", async () => {
  const path = `/attention/${ids.over}`;
  const colleague = await app.addMember(account, "operator");
  await visitor.post(path, { action: "release" });
  const opened = { ...originalFields(await read(path)), note: "Truck booked" };
  await visitor.post(path, { action: "assign", owner: colleague.email });
  const refused = await visitor.post(path, { ...opened, action: "take" });
  expect([refused.status, visibleText(await refused.text())]).toEqual([
    412,
    expect.stringContaining(`Owner: now ${colleague.email}.`),
  ]);
  expect((await visitor.post(path, { ...opened, action: "save", note: "Truck booked twice" })).status).toBe(303);
  await visitor.post(path, { action: "release" });
});

test("a note that is submitted twice, also at once, is answered as saved both times", async () => {
  const path = `/attention/${ids.over}`;
  const form = { ...originalFields(await read(path)), action: "save", note: "Driver called at 14:00" };
  const submit = async () => (await visitor.post(path, form)).headers.get("location");
  expect([...(await Promise.all([submit(), submit()])), await submit()]).toEqual(Array(3).fill(`${path}?done=note`));
});

describe("the form of the page of the previous version", () => {
  const saveFormer = async (path: string, form: Record<string, string>): Promise<string> => {
    const saved = await visitor.post(path, { ...originalFields(await read(path)), action: "save", ...form });
    return visibleText(await read(saved.headers.get("location") ?? ""));
  };
  const stored = () => app.database.prisma.exception.findFirstOrThrow({ where: { id: ids.over } });

  test("saves its owner and its snooze", async () => {
    const path = `/attention/${ids.over}`;
    await visitor.post(path, { action: "release" });
    const colleague = await app.addMember(account, "operator");
    const { note } = await stored();
    const form = { note: note ?? "", owner: colleague.email, snooze: "3" };
    expect(await saveFormer(path, form)).toContain("Saved.");
    const { ownerUserId, snoozedUntil } = await stored();
    expect(ownerUserId).not.toBeNull();
    expect(Math.round(((snoozedUntil?.getTime() ?? 0) - Date.now()) / 86_400_000)).toBe(3);
    await saveFormer(path, { ...form, owner: "", snooze: "keep" });
    expect(await stored()).toMatchObject({ ownerUserId: null, snoozedUntil });
    await visitor.post(path, { action: "open" });
  });

  test("says that nothing was changed for an edit without a change", async () => {
    const { note } = await stored();
    const text = await saveFormer(`/attention/${ids.over}`, { note: note ?? "", owner: "", snooze: "keep" });
    expect(text).toContain("Nothing was changed.");
    expect(text).not.toContain("Saved.");
  });
});

test("the button of the note also assigns the owner that was entered, and keeps the owner without one", async () => {
  const path = `/attention/${ids.over}`;
  await visitor.post(path, { action: "release" });
  const save = async (form: Record<string, string>) =>
    visitor.post(path, { ...originalFields(await read(path)), action: "save", ...form });
  await save({ owner: account.email, note: "Truck booked" });
  expect(visibleText(await read(path))).toContain(`Owner ${account.email}`);
  expect((await save({ owner: "", note: "Truck booked again" })).headers.get("location")).toBe(`${path}?done=note`);
  expect(visibleText(await read(path))).toContain(`Owner ${account.email}`);
});
