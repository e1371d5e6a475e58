import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { eventually, startWebhookSink, type WebhookSink } from "@svc/testkit";
import { startedEach } from "@svc/testkit/started";
import { startTestWeb, type TestWeb, type Visitor } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const path = "/account/alerts";
const daily = { name: "Morning", frequency: "daily", hour: "7", weekday: "1", timeZone: "Europe/Berlin" };

let app: TestWeb;
let sink: WebhookSink;

beforeAll(async () => {
  [app, sink] = await Promise.all([startTestWeb({ withApi: true, withWorker: true }), startWebhookSink()]);
});
const account = startedEach(() => app.addAccount());
const owner = startedEach(() => app.visit(account));
afterAll(async () => {
  await app.close();
  await sink.close();
});

const textOf = async (address: string, by = owner) => (await by.get(address)).text();
const keyIn = (text: string) => /name="key" value="([^"]*)"/.exec(text)?.[1] ?? "";
const newest = () =>
  app.database.prisma.alertSubscription.findFirstOrThrow({
    where: { accountId: account.id },
    orderBy: { createdAt: "desc" },
  });

async function create(form: Readonly<Record<string, string | readonly string[]>>, by = owner) {
  const key = keyIn(await textOf(`${path}/new`, by));
  const answer = await by.post(path, { key, channel: "email", ...daily, ...form });
  return { answer, text: await answer.text() };
}

/** Adds a second user to the account, with the role developer. */
async function addMember(): Promise<Visitor> {
  const other = await app.addAccount();
  await app.database.prisma.membership.update({
    where: { accountId_userId: { accountId: other.id, userId: other.userId } },
    data: { accountId: account.id, role: "developer" },
  });
  return app.visit(other);
}

/** Follows the redirect of a test message until its outcome is shown. */
async function outcomeOf(id: string): Promise<string> {
  const response = await owner.post(`${path}/${id}/test`, {});
  expect(response.status).toBe(303);
  const address = response.headers.get("location") ?? "";
  return eventually(
    "the outcome of the test message is shown",
    async () => {
      const text = await textOf(address);
      return text.includes("is being sent") ? undefined : visibleText(text);
    },
    60_000,
  );
}

describe("alerts of a member", () => {
  test("a digest says in plain words when it is sent, is edited, paused, resumed and deleted", async () => {
    expect(await textOf(path)).toContain("No alerts yet");
    const { answer } = await create({
      kinds: ["fee", "hold"],
      severity: "critical",
      carriers: ["MAEU", "CMDU"],
      tags: " a ,b",
    });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, `${path}?done=created`]);
    const { id } = await newest();
    const listed = visibleText(await textOf(path));
    expect(listed).toContain("Every day at 07:00, Europe/Berlin");
    expect(listed).toContain("Other hold, Fees · only critical · carrier MAEU, CMDU · tag a, b");

    const form = await textOf(`${path}/${id}/edit`);
    expect(form).toContain('name="before-carriers" value="CMDU\nMAEU"');
    expect(form).toContain('value="critical" selected');
    const weekly = {
      ...daily,
      frequency: "weekly",
      weekday: "5",
      hour: "18",
      minimumAmount: "250.5",
      minimumAmountCurrency: "EUR",
      customers: "Müller, Söhne\r\n\r\nKite",
    };
    expect((await owner.post(`${path}/${id}/edit`, weekly)).headers.get("location")).toBe(`${path}?done=saved`);
    const edited = visibleText(await textOf(path));
    expect(edited).toContain("Every Friday at 18:00, Europe/Berlin");
    expect(edited).toContain("customer Müller, Söhne, Kite · charged EUR 250.5 or more");
    expect((await newest()).customers).toEqual(["Müller, Söhne", "Kite"]);

    await owner.post(`${path}/${id}/state`, { active: "false" });
    expect(visibleText(await textOf(path))).toContain("Paused");
    await owner.post(`${path}/${id}/state`, { active: "true" });
    expect(await newest()).toMatchObject({ active: true, frequency: "weekly", hour: 18, weekday: 5 });

    expect(visibleText(await textOf(`${path}/${id}/delete`))).toContain("Delete “Morning”?");
    await owner.post(`${path}/${id}/delete`, {});
    expect(await textOf(path)).toContain("No alerts yet");
    expect((await owner.get(`${path}/${id}/edit`)).status).toBe(404);
  });

  test("the form says which filters of the queue it comes from are not taken over", async () => {
    const queue = await textOf("/attention?port_of_discharge=NLRTM&owner=none&q=PO-1&carrier=MAEU");
    const [, link = ""] = /href="([^"]*)">New alert/.exec(queue) ?? [];
    const form = visibleText(await textOf(link.replaceAll("&amp;", "&")));
    expect(form).toContain("Not taken over: port of discharge NLRTM, owner none, search PO-1.");
    expect(visibleText(await textOf(`${path}/new?carrier=MAEU`))).not.toContain("Not taken over");
    const ofCustomer = await textOf(`${path}/new?customer_name=Kite`);
    expect(visibleText(ofCustomer)).toContain("Not taken over: exact customer Kite (longer names match, too).");
    expect(ofCustomer).toMatch(/<textarea[^>]* name="customers"[^>]*>\nKite</);
    const ofBoth = await textOf(`${path}/new?customer=Ki&customer_name=Kite`);
    expect(visibleText(ofBoth)).toContain("Not taken over: exact customer Kite.");
    expect(ofBoth).toMatch(/<textarea[^>]* name="customers"[^>]*>\nKi</);
  });

  test("fields that do not belong to the choice are ignored, as browsers without styles show them", async () => {
    const { answer } = await create({
      frequency: "at_once",
      minimumAmount: "5",
      minimumAmountCurrency: "EUR",
      includesResolved: "yes",
      url: "x",
    });
    expect(answer.status).toBe(303);
    const { hour, timeZone, minimumAmount, includesResolved } = await newest();
    expect([hour, timeZone, minimumAmount, includesResolved]).toEqual([null, null, null, true]);
    expect(visibleText(await textOf(path))).toContain("At once");
  });

  test.each([
    ["a missing name", { name: "" }, "Enter a name"],
    ["only some kinds, and none of them", { kindChoice: "some" }, "Choose at least one kind, or all kinds."],
    ["a channel without an address", { channel: "slack" }, "Enter the address that Slack or Teams shows."],
    ["a private address", { channel: "slack", url: "ftp://x" }, "The target must be an https:// URL."],
    ["an unknown zone", { timeZone: "Mars/Olympus" }, "must be an IANA time zone"],
    ["an amount that is none", { minimumAmount: "much" }, "Enter an amount"],
    ["a carrier that is none", { carriers: "MAERSK" }, "Choose only carriers whose SCAC has two to four letters"],
  ])("%s is refused, and the form keeps what was entered", async (_what, form, problem) => {
    const { answer, text } = await create({ tags: "kept", ...form });
    expect(answer.status).toBe(422);
    expect(visibleText(text)).toContain(problem);
    expect(text).toContain('value="kept"');
    expect(await app.database.prisma.alertSubscription.count({ where: { accountId: account.id } })).toBe(0);
  });

  test("a form that is submitted twice creates one alert", async () => {
    const key = keyIn(await textOf(`${path}/new`));
    const form = { key, channel: "email", ...daily };
    for (const _ of [1, 2]) expect((await owner.post(path, form)).status).toBe(303);
    expect(await app.database.prisma.alertSubscription.count({ where: { accountId: account.id } })).toBe(1);
  });

  test("both kinds of holds are listed as all holds, and all kinds leave out what is selected below them", async () => {
    await create({ kindChoice: "some", kinds: ["customs_hold", "fee", "hold"] });
    expect(visibleText(await textOf(path))).toContain("All holds");
    await create({ kindChoice: "all", kinds: ["fee"] });
    expect((await newest()).kinds).toEqual([]);
  });

  test("the list of exceptions links to a new alert of the kind that it shows", async () => {
    expect(await textOf("/attention?kind=fee")).toContain(`href="${path}/new?kind=fee"`);
    expect(await textOf(`${path}/new?kind=fee`)).toMatch(/value="fee" checked/);
  });
});

describe("test messages", () => {
  test("the page shows why a mail was not sent, and that a message of a channel was accepted", async () => {
    await create({});
    const { id } = await newest();
    expect(await outcomeOf(id)).toContain("was not sent. The mail server does not answer.");
    expect(visibleText(await textOf(path))).toMatch(/Not sent .*: The mail server does not answer/);
    await create({ name: "Team", channel: "slack", url: `${sink.url}/hook` });
    expect(await outcomeOf((await newest()).id)).toContain("Team was accepted for the Slack channel");
    expect(String(sink.deliveries.at(-1)?.body)).toContain("Test alert: Team");
    expect(await textOf(path)).not.toContain("/hook");
  });

  test("beyond the limit the page says when the next one may be sent", async () => {
    await create({});
    const { id } = await newest();
    for (let count = 0; count < 5; count++) expect((await owner.post(`${path}/${id}/test`, {})).status).toBe(303);
    const refused = await owner.post(`${path}/${id}/test`, {});
    expect([refused.status, visibleText(await refused.text())]).toEqual([
      429,
      expect.stringContaining("Try again in 60 min"),
    ]);
  });
});

const inbox = { channel: "mailbox", mailbox: "ops@example.com" };

test("owners send alerts to other members", async () => {
  expect(await textOf(`${path}/new`)).not.toContain("Another member");
  const member = await app.addMember(account, "viewer");
  expect(await textOf(`${path}/new`)).toContain(`<option value="${member.email}"`);
  expect((await create({ channel: "member", member: member.email })).answer.status).toBe(303);
  expect(await newest()).toMatchObject({ userId: member.userId, mailbox: null });
  expect(visibleText(await textOf(path))).toContain(member.email);
});

test("a mailbox receives alerts once a reader of it has confirmed them", async () => {
  const { answer, text } = await create({ ...inbox, mailbox: "" });
  expect([answer.status, visibleText(text)]).toEqual([422, expect.stringContaining("Enter an e-mail address.")]);
  expect((await create(inbox)).answer.headers.get("location")).toBe(`${path}?done=unconfirmed`);
  const { id, unsubscribeToken: token } = await newest();
  const listed = visibleText(await textOf(path));
  expect([listed, listed]).toEqual([
    expect.stringContaining("ops@example.com"),
    expect.stringContaining("Not confirmed"),
  ]);
  expect(await outcomeOf(id)).toContain("The request to confirm Morning was not sent.");

  const confirmPath = `/alerts/confirm/${token}`;
  expect(visibleText(await (await app.request(confirmPath)).text())).toContain("sends this alert");
  expect(await newest()).toMatchObject({ active: false });
  const confirmed = await app.request(confirmPath, { method: "POST" });
  expect(visibleText(await confirmed.text())).toContain("The address is confirmed");
  const stored = await newest();
  expect(stored).toMatchObject({ active: true, confirmedAt: expect.any(Date) });
  expect(Number(stored.nextDigestAt)).toBeGreaterThan(Date.now());
  expect(visibleText(await textOf(path))).toContain("Active");
  await owner.post(`${path}/${id}/state`, { active: "false" });
  const unsubscribe = `/alerts/unsubscribe/${token}`;
  expect(visibleText(await (await app.request(unsubscribe)).text())).toContain("Unsubscribe from “Morning”?");
  const ended = visibleText(await (await app.request(unsubscribe, { method: "POST" })).text());
  expect(ended).toContain("only if you confirm that again");
  expect(visibleText(await textOf(path))).toContain("Unsubscribed");

  await create({});
  const { unsubscribeToken: memberToken } = await newest();
  for (const unknown of [memberToken, "x".repeat(43), "x"]) {
    expect((await app.request(`/alerts/confirm/${unknown}`, { method: "POST" })).status).toBe(404);
  }
});

test("members see and change their own alerts only; owners all of the account", async () => {
  await create({ name: "Of the owner" });
  const { id } = await newest();
  const member = await addMember();
  expect(await textOf(path, member)).not.toContain("Of the owner");
  for (const step of ["edit", "delete"]) expect((await member.get(`${path}/${id}/${step}`)).status).toBe(403);
  for (const step of ["edit", "delete", "state", "test"]) {
    expect((await member.post(`${path}/${id}/${step}`, daily)).status).toBe(403);
  }
  for (const receiver of [{ channel: "slack", url: sink.url }, { channel: "member", member: account.email }, inbox]) {
    expect((await create(receiver, member)).answer.status).toBe(403);
  }
  expect(await textOf(`${path}/new`, member)).not.toContain("Slack");

  expect((await create({ name: "Of the member" }, member)).answer.status).toBe(303);
  expect(visibleText(await textOf(path))).toMatch(/Sent to others .*Of the member/);
  const otherVisitor = await app.visit(await app.addAccount());
  expect((await otherVisitor.get(`${path}/${id}/edit`)).status).toBe(404);
  expect((await owner.get(`${path}/${uuidV7.next()}/edit`)).status).toBe(404);
});

test("every member chooses whether mentions are mailed to them", async () => {
  const viewer = await app.visit(await app.addMember(account, "viewer"));
  const isChecked = async (by: Visitor) => /name="receives" value="yes" checked/.test(await textOf(path, by));
  expect(await isChecked(viewer)).toBe(true);
  expect((await viewer.post(`${path}/mentions`, {})).headers.get("location")).toBe(`${path}?done=saved`);
  expect([await isChecked(viewer), await isChecked(owner)]).toEqual([false, true]);
  await viewer.post(`${path}/mentions`, { receives: "yes" });
  expect(await isChecked(viewer)).toBe(true);
});
