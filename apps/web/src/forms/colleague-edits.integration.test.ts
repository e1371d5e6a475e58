import { expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { originalFields } from "../testing/original-fields.ts";
import { type FormFields, startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const app = started(() => startTestWeb({ withApi: true }));
const account = started(() => app.addAccount());
const owner = started(() => app.visit(account));
const colleague = started(async () => app.visit(await app.addMember(account, "owner")));

interface EditedRecord {
  readonly created: FormFields;
  /** Path where it is created; its edit form is below `path`. */
  readonly createdAt?: string;
  readonly path: string;
  readonly table: string;
  /** The colleague's edit, and the page's text about it after that. */
  readonly theirs: FormFields;
  readonly named: string;
  readonly mine: FormFields;
}

/** The fields of a tier: the only ones of these forms that differ from their hidden field. */
const tier = { tierDay: "1", tierAmount: "75.00" };
const rule = {
  name: "Kite",
  kind: "demurrage",
  direction: "import",
  startOffsetDays: "1",
  freeDays: "2",
  freeDayCalendar: "calendar_days",
  chargedDayCalendar: "calendar_days",
  weekendDays: ["6", "7"],
  currencyCode: "USD",
  ...tier,
};
const factor = {
  name: "Kite",
  energyScope: "well_to_wake",
  gramsPerTeuKm: "80",
  distanceBasis: "actual_distance",
  source: "Report of 2026",
  origins: "CN",
  destinations: "NL",
};

const records: readonly (readonly [string, EditedRecord])[] = [
  [
    "webhook",
    {
      created: { url: "https://8.8.8.8/a", events: ["container.created"] },
      path: "/developers/webhooks",
      table: "webhooks",
      theirs: { events: ["container.created", "tracking_request.*"] },
      named: "Events: now container.created, tracking_request.*.",
      mine: { rateLimit: "5" },
    },
  ],
  [
    "alert",
    {
      created: { name: "Morning", channel: "email", frequency: "daily", hour: "7", weekday: "1", timeZone: "UTC" },
      path: "/account/alerts",
      table: "alert_subscriptions",
      theirs: { kindChoice: "some", kinds: ["hold", "fee"], hour: "9" },
      named: "Time: now 09:00. Alerts of: now some kinds. Kinds of exceptions: now fee, hold.",
      mine: { name: "Early" },
    },
  ],
  [
    "view",
    {
      created: { list: "shipments", query: "", name: "Mine" },
      createdAt: "/views",
      path: "/account/views",
      table: "saved_views",
      theirs: { shared: "yes", name: "Ours" },
      named: "Name: now Ours.",
      mine: { isDefault: "yes" },
    },
  ],
  [
    "custom field",
    {
      created: { entityType: "Shipment", dataType: "enum", displayName: "Priority", options: "High\nLow" },
      path: "/account/custom-fields",
      table: "custom_field_definitions",
      theirs: { options: "High\nLow\nMiddle" },
      named: "Options: now High, Low, Middle.",
      mine: { description: "For the dispatchers" },
    },
  ],
  [
    "demurrage rule",
    {
      created: rule,
      path: "/account/demurrage",
      table: "demurrage_rules",
      theirs: { freeDays: "4", weekendDays: ["7"] },
      named: "Free days: now 4. Non-working days: now Sunday.",
      mine: { name: "Contract of Kite" },
    },
  ],
  [
    "emission factor",
    {
      created: factor,
      path: "/account/emissions",
      table: "emission_factors",
      theirs: { gramsPerTeuKm: "75", bothDirections: "yes" },
      named: "Grams of CO2e per TEU-km: now 75.",
      mine: { name: "Report of Kite" },
    },
  ],
];

const multiValued = new Set(["events", "kinds", "weekendDays"]);

/** Returns the fields that a form opened with `before` submits: its hidden fields, and the others with `changes`. */
function submitted(before: Readonly<Record<string, string>>, changes: FormFields): FormFields {
  const unchanged = Object.entries(before).map(([name, text]) => {
    const field = name.replace(/^before-/, "");
    const value = text === "no" ? "" : text;
    return [field, multiValued.has(field) ? text.split("\n") : value] as const;
  });
  const { isDefault = "", ...fields } = { ...Object.fromEntries(unchanged), ...changes };
  return { ...before, ...tier, ...fields, default: isDefault };
}

async function idOf(table: string): Promise<string> {
  const text = `SELECT id FROM ${table} WHERE account_id = $1`;
  return (await app.database.pool.query<{ id: string }>(text, [account.id])).rows[0]?.id ?? "";
}

test.each(records)(
  "saving a record (%s) over a colleague's change names it, and a second save keeps both",
  async (_kind, record) => {
    const { created, createdAt = record.path, path, table, theirs, named, mine } = record;
    expect((await owner.post(createdAt, { key: "", ...created })).status).toBeLessThan(400);
    const edit = `${path}/${await idOf(table)}/edit`;
    const read = async () => originalFields(await (await owner.get(edit)).text());
    const opened = await read();
    const other = table === "saved_views" ? owner : colleague;
    expect((await other.post(edit, submitted(opened, theirs))).status).toBe(303);
    const changed = await read();

    const refused = await owner.post(edit, submitted(opened, mine));
    const markup = await refused.text();
    expect([refused.status, visibleText(markup)]).toEqual([
      412,
      expect.stringContaining("was changed while you edited it."),
    ]);
    expect(visibleText(markup)).toContain(named);
    expect(await read()).toEqual(changed);

    const after = originalFields(markup);
    expect(after).toEqual(changed);
    expect((await owner.post(edit, submitted(after, mine))).status).toBe(303);
    const saved = await read();
    const ownFields = Object.fromEntries(Object.entries(mine).map(([name, text]) => [`before-${name}`, text]));
    expect(saved).toEqual({ ...changed, ...ownFields });
  },
);

test("a customer that both rename keeps the colleague's name until it is saved again", async () => {
  const path = "/account/customers";
  await owner.post(path, { key: "", companyName: "Kite" });
  const edit = `${path}/${await idOf("parties")}/edit`;
  const opened = originalFields(await (await owner.get(edit)).text());
  await colleague.post(edit, submitted(opened, { companyName: "Kite GmbH" }));
  const refused = await owner.post(edit, submitted(opened, { companyName: "Kite AG" }));
  const markup = await refused.text();
  expect([refused.status, visibleText(markup)]).toEqual([412, expect.stringContaining("Company name: now Kite GmbH.")]);
  expect(markup).toContain('value="Kite AG"');
  await owner.post(edit, submitted(originalFields(markup), { companyName: "Kite AG" }));
  expect(originalFields(await (await owner.get(edit)).text())).toEqual({ "before-companyName": "Kite AG" });
});
