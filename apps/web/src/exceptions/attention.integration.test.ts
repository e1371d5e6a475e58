import { beforeAll, describe, expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { addException } from "../testing/add-exception.ts";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const app = started(() => startTestWeb({ withApi: true }));

const addToAccount = (columns: Parameters<typeof addException>[2]) => addException(app.database, account.id, columns);

const ids = { over: "", hold: "", soon: "" };

const account = started(() => app.addAccount());
const visitor = started(() => app.visit(account));
const shipment = started(() =>
  addShipment(app.database, account.id, {
    number: "URGE1",
    containers: ["URGU1000001", "URGU1000002", "URGU1000003"],
  }),
);
beforeAll(async () => {
  const [first = "", second = "", third = ""] = shipment.containerIds;
  const containerKeys = (containerId: string) => ({ containerId, subjectId: containerId, shipmentId: shipment.id });
  ids.soon = await addToAccount({
    ...containerKeys(first),
    kind: "last_free_day_soon",
    severity: "warning",
    priority: 7_997,
    details: { days: 2, lastFreeDay: "2026-06-12" },
  });
  const amounts = [{ amount: 600, currencyCode: "USD" }];
  const details = { days: 4, lastFreeDay: "2026-06-06", amounts, perDay: { amount: 150, currencyCode: "USD" } };
  ids.over = await addToAccount({ ...containerKeys(second), kind: "last_free_day_over", priority: 14_004, details });
  const holds = { holds: ["customs"] };
  ids.hold = await addToAccount({ ...containerKeys(third), kind: "customs_hold", priority: 12_000, details: holds });
});

const read = async (path: string, reader = visitor): Promise<string> => (await reader.get(path)).text();
const numbersOn = async (path: string): Promise<string[]> =>
  [...(await read(path)).matchAll(/class="row-link number"[^>]*>(\w+)</g)].map(([, number = ""]) => number);

describe("exceptions that need attention", () => {
  test("lists exceptions with their cost, most urgent first, and links to each", async () => {
    const markup = await read("/attention");
    expect(await numbersOn("/attention")).toEqual(["URGU1000002", "URGU1000003", "URGU1000001"]);
    const pageText = visibleText(markup);
    expect(pageText).toContain(
      "Last free day was 4 days ago Last free day: 6 Jun 2026. 600.00 USD 150.00 per day No owner Assign to me open for",
    );
    expect(pageText).toMatch(/On hold: customs – No owner Assign to me/);
    expect(pageText).toContain("Exception Charges Owner Open for Actions");
    expect(visibleText(await read("/attention?status=resolved"))).not.toContain("Open for");
    expect(markup).toContain(`href="/shipments/${shipment.id}?container=${shipment.containerIds[1]}"`);
    expect(markup).toContain(`href="/attention/${ids.over}"`);
  });

  test("says what to do about the pickup, beside the last free day or the hold", async () => {
    const [, second = "", third = ""] = shipment.containerIds;
    const set = (id: string, data: object) => app.database.prisma.container.updateMany({ where: { id }, data });
    const holdsAtPodTerminal = [{ name: "customs", status: "hold", description: null }];
    await set(second, { availableForPickup: true, availabilityKnown: true });
    await set(third, { holdsAtPodTerminal, pickupAppointmentAt: new Date("2099-03-17T10:00:00Z") });
    const pageText = visibleText(await read("/attention"));
    expect(pageText).toContain("Last free day was 4 days ago 6 Jun · Next: book a pickup, no appointment known 600.00");
    expect(pageText).toContain("On hold: customs Next: get the customs hold released · appointment 17 Mar");
    await set(second, { availableForPickup: false, availabilityKnown: false });
    await set(third, { holdsAtPodTerminal: [], pickupAppointmentAt: null });
  });

  test("counts each kind, and each count filters the list", async () => {
    const pageText = visibleText(await read("/attention"));
    expect(pageText).toContain("Open 3 Snoozed 0 Resolved 0 All owners Mine No owner");
    expect(pageText).toContain("All kinds 3 Last free day over 1 Customs hold 1 Last free day soon 1");
    expect(await numbersOn("/attention?kind=customs_hold")).toEqual(["URGU1000003"]);
    expect(visibleText(await read("/attention?kind=rollover"))).toContain("No exceptions match");
    expect(await numbersOn("/attention?kind=lost&owner=whoever&page=x")).toHaveLength(3);
  });

  test("is the start page, and shows an empty state without exceptions", async () => {
    expect((await visitor.get("/")).headers.get("location")).toBe("/attention");
    const otherVisitor = await app.visit(await app.addAccount());
    const pageText = visibleText(await read("/attention", otherVisitor));
    expect(pageText).toContain("Nothing needs attention");
    expect(pageText).not.toContain("URGU");
    expect((await otherVisitor.get(`/attention/${ids.over}`)).status).toBe(404);
    expect((await otherVisitor.post(`/attention/${ids.over}`, { action: "resolve" })).status).toBe(404);
  });

  test("are at the top of the page of their shipment", async () => {
    const markup = await read(`/shipments/${shipment.id}`);
    expect(visibleText(markup)).toContain("URGU1000002 Last free day was 4 days ago, 600.00 USD so far");
    const band = /<section class="band".*?<\/section>/s.exec(markup)?.[0] ?? "";
    const rowClasses = [...band.matchAll(/<li class="(\w+)">.*?>(URGU\d+)</gs)].map(
      ([, className, number]) => `${number} ${className}`,
    );
    expect(rowClasses).toEqual(["URGU1000002 late", "URGU1000003 late", "URGU1000001 warning"]);
    const calm = await addShipment(app.database, account.id, { number: "CALM1", containers: ["CALU1000001"] });
    expect(await read(`/shipments/${calm.id}`)).not.toContain('class="band"');
  });
});

describe("an exception, without JavaScript", () => {
  const act = (id: string, form: Record<string, string>) => visitor.post(`/attention/${id}`, form);

  test("is assigned, snoozed and reopened from the list, which keeps its filters", async () => {
    const back = "/attention?kind=last_free_day_soon";
    const assigned = await act(ids.soon, { action: "take", back });
    expect([assigned.status, assigned.headers.get("location")]).toEqual([303, `${back}&done=take&on=${ids.soon}`]);
    const done = await read(assigned.headers.get("location") ?? "");
    expect(visibleText(done)).toContain("URGU1000001 assigned to you. Undo");
    expect(done).toContain('name="action" value="release"');
    await act(ids.soon, { action: "release", back });
    expect(await numbersOn("/attention?owner=me")).toEqual([]);
    await act(ids.soon, { action: "take", back });
    expect(await numbersOn("/attention?owner=me")).toEqual(["URGU1000001"]);
    const next = `/attention#row-${ids.hold}`;
    const snoozed = await act(ids.soon, { action: "snooze", back: next });
    expect(snoozed.headers.get("location")).toBe(`/attention?done=snooze&on=${ids.soon}#row-${ids.hold}`);
    expect(await numbersOn("/attention")).not.toContain("URGU1000001");
    expect(await numbersOn("/attention?status=snoozed")).toEqual(["URGU1000001"]);
    await act(ids.soon, { action: "open", back });
    expect(await numbersOn("/attention")).toContain("URGU1000001");
  });

  test("is resolved on its page, which shows a notice", async () => {
    const response = await act(ids.hold, { action: "resolve", back: `/attention/${ids.hold}` });
    expect(response.headers.get("location")).toBe(`/attention/${ids.hold}?done=resolve`);
    const pageText = visibleText(await read(`/attention/${ids.hold}`));
    expect(pageText).toContain(`Resolved by ${account.email}`);
    expect(await numbersOn("/attention?status=resolved")).toEqual(["URGU1000003"]);
    await act(ids.over, { action: "resolve" });
    await act(ids.hold, { action: "open" });
    await act(ids.hold, { action: "resolve" });
    expect(await numbersOn("/attention?status=resolved")).toEqual(["URGU1000003", "URGU1000002"]);
    expect(visibleText(await read("/attention?status=resolved"))).toContain(`Resolved by ${account.email}`);
    await act(ids.over, { action: "open" });
  });

  test("is resolved on its page with the note that is typed there", async () => {
    const page = await read(`/attention/${ids.hold}`);
    expect(page).toMatch(/<button[^>]* value="open" form="handle"/);
    await act(ids.hold, { action: "open" });
    const input = { action: "resolve", owner: "", note: "Released by phone" };
    expect((await act(ids.hold, input)).headers.get("location")).toBe(`/attention/${ids.hold}?done=resolve`);
    const pageText = visibleText(await read(`/attention/${ids.hold}`));
    expect(pageText).toContain(`Resolved by ${account.email}`);
    expect(pageText).toContain("Released by phone");
    expect(await numbersOn("/attention?status=resolved&resolution=by_member")).toContain("URGU1000003");
    await act(ids.hold, { action: "save", owner: "", note: "" });
  });

  test("does not redirect to another site, and is not changed from one", async () => {
    const response = await act(ids.over, { action: "take", back: "https://example.com/attention" });
    expect(response.headers.get("location")).toBe(`/attention/${ids.over}?done=take`);
    const foreign = { origin: "https://example.com" };
    expect((await visitor.post(`/attention/${ids.over}`, { action: "resolve" }, foreign)).status).toBe(403);
  });
});

describe("several exceptions, without JavaScript", () => {
  const act = (form: Record<string, string | readonly string[]>) => visitor.post("/attention/rows", form);
  const unknown = uuidV7.next();

  /** Submits the form of a message; returns the next message. */
  const undo = async (page: string): Promise<string> => {
    const form = /<form method="post" action="\/attention\/rows" data-keep-place>.*?<\/form>/s.exec(page)?.[0] ?? "";
    const valuesOf = (name: string) =>
      [...form.matchAll(new RegExp(`name="${name}" value="([^"]+)"`, "g"))].map(([, value = ""]) => value);
    const [action = "", back = ""] = [...valuesOf("action"), ...valuesOf("back")];
    const done = await act({ id: valuesOf("id"), action, back });
    return /\d+ exceptions? [^.]*\./.exec(visibleText(await read(done.headers.get("location") ?? "")))?.[0] ?? "";
  };

  test("resolved or taken together are taken back together; an owner of before is not", async () => {
    const done = await act({ id: [ids.over, ids.hold], action: "resolve", back: "/attention" });
    expect(await undo(await read(done.headers.get("location") ?? ""))).toBe("2 exceptions open again.");
    await visitor.post(`/attention/${ids.over}`, { action: "release" });
    await visitor.post(`/attention/${ids.hold}`, { action: "take" });
    const assigned = await act({ id: [ids.over, ids.hold], action: "take", back: "/attention" });
    const note = await read(assigned.headers.get("location") ?? "");
    expect(visibleText(note)).toContain("2 exceptions assigned to you. Undo");
    expect(await undo(note)).toBe("1 exception without an owner again.");
    const ownNumbers = await numbersOn("/attention?owner=me");
    expect([ownNumbers.includes("URGU1000003"), ownNumbers.includes("URGU1000002")]).toEqual([true, false]);
    await visitor.post(`/attention/${ids.hold}`, { action: "release" });
  });

  test("are snoozed and reopened together, and the page says how many", async () => {
    await visitor.post(`/attention/${ids.hold}`, { action: "open" });
    const snoozed = await act({ id: [ids.over, ids.hold], action: "snooze", back: "/attention?owner=none" });
    const rows = `${ids.over}_${ids.hold}`;
    expect(snoozed.headers.get("location")).toBe(`/attention?owner=none&done=snooze&count=2&rows=${rows}`);
    const note = await read(snoozed.headers.get("location") ?? "");
    expect(visibleText(note)).toContain("2 exceptions snoozed for a day. Undo");
    expect(await numbersOn("/attention?status=snoozed")).toEqual(["URGU1000002", "URGU1000003"]);
    expect(await undo(note)).toBe("2 exceptions open again.");
    expect(await numbersOn("/attention?status=snoozed")).toEqual([]);
  });

  test("say which failed and why; the others are changed", async () => {
    const refused = await act({ id: [ids.over, unknown, "x"], action: "take", back: "/attention" });
    expect(refused.status).toBe(422);
    const pageText = visibleText(await refused.text());
    expect(pageText).toContain("1 exception assigned to you. Failed: 1");
    expect(pageText).toContain(unknown);
    expect(await numbersOn("/attention?owner=me")).toContain("URGU1000002");
  });

  test("changes nothing when no exception is selected", async () => {
    expect((await act({ action: "resolve", back: "https://example.com/x" })).headers.get("location")).toBe(
      "/attention",
    );
  });
});

test("sums what is over its last free day by currency, with the price of a day beside it", async () => {
  const pageText = visibleText(await read("/attention"));
  expect(pageText).toContain("600.00 USD charges · growing by 150.00 USD per day Demurrage 600.00 USD (1 container)");
  await visitor.post(`/attention/${ids.over}`, { action: "snooze" });
  for (const path of ["/attention", "/attention?status=snoozed"]) {
    const cost =
      "600.00 USD charges · growing by 150.00 USD per day Demurrage 600.00 USD (1 container, 1 snoozed) i Demurrage: 1 snoozed";
    expect(visibleText(await read(path))).toContain(cost);
  }
  await visitor.post(`/attention/${ids.over}`, { action: "resolve" });
  const cost =
    "600.00 USD charges · growing by 150.00 USD per day Demurrage 600.00 USD (1 container, 1 resolved) i Demurrage: 1 resolved";
  expect(visibleText(await read("/attention"))).toContain(cost);
  const { containerIds } = shipment;
  for (const path of [`/shipments/${shipment.id}`, `/containers/${containerIds[1]}`]) {
    expect(visibleText(await read(path))).toContain("600.00 USD so far, 150.00 USD per day resolved");
  }
  const stopped = `jsonb_set(details, '{trackingStoppedDate}', '"2026-02-22"')`;
  await app.database.pool.query(`UPDATE exceptions SET details = ${stopped} - 'perDay' WHERE id = $1`, [ids.over]);
  const outdated =
    "600.00 USD charges Demurrage 600.00 USD (1 container, 1 resolved) i Demurrage: 1 not updated since tracking stopped";
  expect(visibleText(await read("/attention"))).toContain(outdated);
  expect(visibleText(await read("/attention?status=resolved"))).toContain("600.00 USD as of Sun, 22 Feb 2026");
  await app.database.pool.query("UPDATE exceptions SET ended_at = resolved_at WHERE id = $1", [ids.over]);
  expect(visibleText(await read("/attention"))).not.toContain("600.00 USD charges");
  await app.database.pool.query("UPDATE exceptions SET ended_at = NULL WHERE id = $1", [ids.over]);
  await visitor.post(`/attention/${ids.over}`, { action: "open" });
  expect(visibleText(await read("/attention?owner=none"))).not.toContain("600.00 USD charges");
});

test("rows are assigned to another member, one or several at once", async () => {
  const colleague = await app.addMember(account, "operator");
  const ownersOf = async () => {
    const rows = await app.database.prisma.exception.findMany({ where: { id: { in: [ids.hold, ids.soon] } } });
    return new Set(rows.map(({ ownerUserId }) => ownerUserId));
  };
  await visitor.post(`/attention/${ids.hold}`, { action: "release" });
  const [suggested] = (await read("/attention")).match(/<datalist id="members">.*?<\/datalist>/s) ?? [];
  expect(suggested).toContain(`<option value="${colleague.email}">`);
  const form = { action: "assign", owner: colleague.email, back: "/attention" };
  const one = await visitor.post(`/attention/${ids.hold}`, form);
  const detail = visibleText(await read(one.headers.get("location") ?? ""));
  expect(detail).toContain(`URGU1000003 assigned to ${colleague.email}. Undo`);
  const over = await visitor.post(`/attention/${ids.hold}`, { ...form, owner: account.email });
  expect(visibleText(await read(over.headers.get("location") ?? ""))).not.toContain("Undo");
  for (const [owner, problem] of [
    ["", "owner must not be empty."],
    ["stranger@example.com", "No member of this account has the e-mail address"],
  ] as const) {
    const refused = await visitor.post(`/attention/${ids.hold}`, { ...form, owner });
    const detailPage = visibleText(await refused.text());
    expect([refused.status, detailPage]).toEqual([422, expect.stringContaining(problem)]);
    expect(detailPage).not.toContain("[request");
  }
  const bulkResponse = await visitor.post("/attention/rows", { ...form, id: [ids.hold, ids.soon] });
  expect(visibleText(await read(bulkResponse.headers.get("location") ?? ""))).toContain("2 exceptions assigned.");
  const { id: userId } = await app.database.prisma.user.findFirstOrThrow({ where: { email: colleague.email } });
  expect(await ownersOf()).toEqual(new Set([userId]));
});

test("counts and sums a container once that two tracked shipments have", async () => {
  const own = await app.addAccount();
  const [number, amounts] = ["URGU2000001", [{ amount: 450, currencyCode: "USD" }]];
  const add = async (bill: string, details: object) => {
    const { id, containerIds } = await addShipment(app.database, own.id, { number: bill, containers: [number] });
    const [containerId = ""] = containerIds;
    const columns = { containerId, subjectId: containerId, shipmentId: id, kind: "last_free_day_over" };
    await addException(app.database, own.id, { ...columns, details: { days: 3, ...details } });
  };
  await add("TWICE1", {});
  await add(number, { amounts });
  const reader = await app.visit(own);
  const once =
    "450.00 USD charges Demurrage 450.00 USD (1 container) i Demurrage: 1 tracked with several shipments, " +
    "counted once";
  expect(visibleText(await read("/attention", reader))).toContain(once);
  expect(visibleText(await read("/attention", reader))).not.toContain("without a known charge");
  await add("PASTVOYAGE1", { amounts, trackingStoppedDate: "2026-02-22" });
  expect(visibleText(await read("/attention", reader))).toContain(
    "900.00 USD charges Demurrage 900.00 USD (2 containers)",
  );
});

test("says what containers cost after a last free day within three days", async () => {
  const own = await app.addAccount();
  const add = async (number: string, kind: string, details: object) => {
    const { id, containerIds } = await addShipment(app.database, own.id, { number, containers: [`${number}001`] });
    const [containerId = ""] = containerIds;
    await addException(app.database, own.id, { containerId, subjectId: containerId, shipmentId: id, kind, details });
  };
  const perDay = { amount: 100, currencyCode: "USD" };
  await add("NEARU1000", "last_free_day_today", { days: 0, perDay });
  const reader = await app.visit(own);
  const one = "No charges 1 container reaches the last free day within 3 days , then 100.00 USD per day more";
  expect(visibleText(await read("/attention", reader))).toContain(one);
  await add("NEARU2000", "last_free_day_soon", { days: 2, perDay });
  await add("NEARU3000", "last_free_day_soon", { days: 3 });
  await add("OVERU1000", "last_free_day_over", { days: 2, amounts: [{ amount: 300, currencyCode: "USD" }] });
  expect(visibleText(await read("/attention", reader))).toContain(
    "300.00 USD charges Demurrage 300.00 USD (1 container) " +
      "3 containers reach the last free day within 3 days ( 1 today , 2 later ), then 200.00 USD per day (known for 2) more",
  );
});
