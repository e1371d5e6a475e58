import { randomBytes } from "node:crypto";
import { beforeAll, expect, test } from "@jest/globals";
import { type MemberRole, memberRoles } from "@svc/domain/members";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { accessTable } from "../testing/access-table.ts";
import { addNotification } from "../testing/add-notification.ts";
import { addShipment } from "../testing/add-shipment.ts";
import { formRoles } from "../testing/route-roles.ts";
import { startTestWeb, type TestAccount, type Visitor } from "../testing/start-test-web.ts";

const pages = accessTable.filter(({ method }) => method === "GET");
const pagePaths = pages.map(({ path }) => path);

/** Pages that need no session, another process, or records that no form creates, and former addresses. */
const unlinked = [
  ...pages.flatMap(({ access, path }) => (access === "anyone" && path !== "/status" ? path : [])),
  "/account",
  "/account/mail",
  "/account/mail/:id",
  "/carriers/connect",
  "/carriers/performance.csv",
  "/carriers/performance.xlsx",
  "/events",
  "/map/places.json",
  "/oauth/interaction/:uid",
  "/track/edi/:id",
  "/track/edi/:id/acknowledgement",
  "/track/edi/:id/content",
  "/track/import/:id",
  "/views/:id",
];

const perPattern = 6;

const app = started(() => startTestWeb({ withApi: true }));

const okay = async (response: Promise<Response>) => {
  const { status } = await response;
  expect([200, 201, 303]).toContain(status);
};

/** A record of every kind that a page lists. */
async function addRecords(owner: Visitor): Promise<void> {
  const { prisma } = app.database;
  const { id: accountId } = account;
  const at = new Date();
  const shipment = await addShipment(app.database, accountId, { number: "OFFER1", containers: ["OFFU1000001"] });
  const subject = { subjectId: shipment.containerIds[0] ?? "", shipmentId: shipment.id };
  await prisma.exception.create({
    data: {
      accountId,
      id: uuidV7.next(),
      ...subject,
      containerId: subject.subjectId,
      kind: "customs_hold",
      severity: "critical",
      priority: 1,
      details: { holds: ["customs"] },
      openedAt: at,
      createdAt: at,
      updatedAt: at,
    },
  });
  await okay(owner.post(`/shipments/${shipment.id}/share`, { key: "", expires: "30" }));
  await okay(owner.post("/track", { type: "bill_of_lading", number: "OFFER2", carrier: "SBXL" }));
  await okay(owner.post("/views", { list: "containers", query: "?view=holds", name: "Held", shared: "yes" }));
  const alert = { frequency: "daily", hour: "7", weekday: "1", timeZone: "Europe/Berlin" };
  const slack = "https://hooks.slack.com/services/T000/B000/XXXX";
  await okay(owner.post("/account/alerts", { ...alert, key: "", name: "Channel", channel: "slack", url: slack }));
  await okay(owner.post("/account/members/invite", { email: "invited@example.test", role: "viewer" }));
  await okay(owner.post("/developers/inbox", {}));
  await okay(
    owner.post("/account/demurrage", {
      key: "",
      name: "Contract",
      kind: "demurrage",
      direction: "import",
      startOffsetDays: "1",
      freeDays: "2",
      freeDayCalendar: "calendar_days",
      chargedDayCalendar: "calendar_days",
      currencyCode: "USD",
      tierDay: "1",
      tierAmount: "75",
    }),
  );
  await okay(
    owner.post("/account/emissions", {
      key: "",
      name: "Lane",
      energyScope: "well_to_wake",
      gramsPerTeuKm: "62.5",
      source: "Clean Cargo 2025",
      distanceBasis: "actual_distance",
    }),
  );
  await okay(owner.post("/account/customers", { companyName: "Offered" }));
  await okay(
    owner.post("/account/custom-fields", { entityType: "Shipment", displayName: "Pallets", dataType: "number" }),
  );
  await okay(owner.post("/developers/webhooks", { url: "https://hooks.example.test/x", events: ["*"] }));
  const webhook = await prisma.webhook.findFirstOrThrow({ where: { accountId } });
  await addNotification(app.database, { accountId, webhookId: webhook.id });
  const grant = { accountId: `${accountId}:${account.userId}`, clientId: "https://app.example.test/id", resources: {} };
  await prisma.oAuthRecord.create({
    data: { model: "Grant", idSha256: randomBytes(32), accountId, grantId: "grant-1", payload: grant, createdAt: at },
  });
  const carrier = await (await owner.get("/carriers/CMDU")).text();
  const fields = [...carrier.matchAll(/<input [^>]*name="([\w.]+)"/g)].map(([, name = ""]) => [name, "x"]);
  const [, choice = ""] = /name="choice" value="([^"]*)"/.exec(carrier) ?? [];
  await okay(owner.post("/carriers/CMDU", { ...Object.fromEntries(fields), choice }));
}

const account = started(() => app.addAccount());
beforeAll(async () => {
  await addRecords(await app.visit(account));
});

const patternOf = (patterns: readonly string[], path: string): string | undefined =>
  patterns.includes(path)
    ? path
    : patterns.find((pattern) => new RegExp(`^${pattern.replace(/:\w+/g, "[^/]+")}$`).test(path));

const decoded = (value: string): string => value.replaceAll("&amp;", "&");

/** Addresses of the page's links and of its forms that are sent by GET, and of its forms that are posted. */
function addressesOn(markup: string): { readonly links: string[]; readonly posted: string[] } {
  const forms = [...markup.matchAll(/<form [^>]*>/g)].map(([form]) => ({
    isPosted: /method="post"/.test(form),
    action: decoded(/ action="([^"]*)"/.exec(form)?.[1] ?? ""),
  }));
  const alternatives = [...markup.matchAll(/ formaction="([^"]*)"/g)].map(([, action = ""]) => action);
  const links = [...markup.matchAll(/<a [^>]*?href="(\/[^"#]*)/g)].map(([, href = ""]) => decoded(href));
  return {
    links: [...links, ...forms.flatMap(({ isPosted, action }) => (isPosted ? [] : [action]))],
    posted: [...forms.flatMap(({ isPosted, action }) => (isPosted ? [action] : [])), ...alternatives],
  };
}

/** Follows a few links of each kind. @returns what the member may not use, and the kinds of pages that were read. */
async function walk(visitor: Visitor, role: MemberRole) {
  const mayUse = (minRole: MemberRole | null | undefined) =>
    minRole === null || (minRole !== undefined && memberRoles.indexOf(role) >= memberRoles.indexOf(minRole));
  const refused = new Set<string>();
  const counts = new Map<string, number>();
  const visited = new Set<string>();
  const queue: { readonly address: string; readonly from: string }[] = [{ address: "/attention", from: "" }];
  const add = (address: string, from: string) => {
    const { pathname, searchParams } = new URL(address, app.url);
    const pattern = patternOf(pagePaths, pathname);
    const kind = searchParams.size > 0 ? `${pattern}?${[...searchParams.keys()].toSorted()}` : pathname;
    if (pattern === undefined || unlinked.includes(pattern) || visited.has(kind)) return;
    if ((counts.get(pattern) ?? 0) >= perPattern) return;
    visited.add(kind);
    counts.set(pattern, (counts.get(pattern) ?? 0) + 1);
    queue.push({ address, from });
  };
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { address, from } = next;
    const response = await visitor.get(address);
    if (response.status === 403) refused.add(`${from} links to ${patternOf(pagePaths, address.split("?")[0] ?? "")}`);
    if (response.headers.has("location")) add(response.headers.get("location") ?? "", address);
    if (response.status !== 200 || !response.headers.get("content-type")?.startsWith("text/html")) continue;
    const { links, posted } = addressesOn(await response.text());
    const page = patternOf(pagePaths, address.split("?")[0] ?? "") ?? address;
    for (const action of posted) {
      const pattern = patternOf(Object.keys(formRoles), action.split("?")[0] ?? "");
      if (pattern === undefined || !mayUse(formRoles[pattern])) refused.add(`${page} offers ${pattern ?? action}`);
    }
    for (const link of links) add(link, page);
  }
  return { refused: [...refused], pages: [...counts.keys()] };
}

/** A member with a calendar, and with an alert from the time when the role allowed one. */
async function addVisitor(owner: TestAccount, role: MemberRole): Promise<Visitor> {
  const member = await app.addMember(owner, "operator");
  const visitor = await app.visit(member);
  const alert = {
    name: "Mine",
    channel: "email",
    frequency: "at_once",
    timeZone: "Europe/Berlin",
    hour: "7",
    weekday: "1",
  };
  await okay(visitor.post("/account/alerts", { ...alert, key: "" }));
  await okay(visitor.post("/account/calendar", { id: "", name: "Mine", view: "" }));
  const accountId_userId = { accountId: owner.id, userId: member.userId };
  await app.database.prisma.membership.update({ where: { accountId_userId }, data: { role } });
  // The API caches the role of a session for a second.
  return app.visit(member);
}

test.each(memberRoles)(
  "pages offer a %s no form and no page that the role may not use",
  async (role) => {
    const { refused, pages } = await walk(await addVisitor(account, role), role);
    expect(refused).toEqual([]);
    if (role !== "owner") return;
    const missing = pagePaths.filter((path) => !pages.includes(path) && !unlinked.includes(path));
    expect([...new Set(missing)]).toEqual([]);
  },
  120_000,
);

test.each(memberRoles)(
  "pages of an account without records offer a %s no form that the role may not use",
  async (role) => {
    const { refused } = await walk(await app.visit(await app.addMember(await app.addAccount(), role)), role);
    expect(refused).toEqual([]);
  },
  120_000,
);
