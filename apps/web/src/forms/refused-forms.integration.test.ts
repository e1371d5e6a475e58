import { expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";

const app = started(() => startTestWeb({ withApi: true }));
const account = started(() => app.addAccount());
const owner = started(() => app.visit(account));

const rule = {
  name: "",
  kind: "demurrage",
  direction: "import",
  startOffsetDays: "x",
  freeDays: "",
  freeDayCalendar: "calendar_days",
  chargedDayCalendar: "calendar_days",
  currencyCode: "",
  tierDay: "",
  tierAmount: "",
};

const forms: readonly (readonly [path: string, form: Readonly<Record<string, string | string[]>>, first: string])[] = [
  ["/track", { number: "" }, "number"],
  ["/track/bulk", { numbers: "" }, "numbers"],
  ["/track/import", { text: "" }, "file"],
  ["/track/edi", { text: "" }, "file"],
  ["/account/customers", { companyName: "" }, "companyName"],
  ["/account/custom-fields", { entityType: "Shipment", dataType: "number", displayName: "" }, "displayName"],
  ["/account/demurrage", rule, "name"],
  ["/account/emissions", { name: "Lane", gramsPerTeuKm: "-1" }, "gramsPerTeuKm"],
  ["/account/alerts", { name: "", channel: "slack", url: "no address" }, "name"],
  ["/account/calendar", { name: "" }, "name"],
  ["/account/password", { present: "wrong", password: "short", again: "" }, "password"],
  ["/account/members/invite", { email: "no address", role: "viewer" }, "email"],
  ["/developers/tokens", { name: "" }, "name"],
  ["/developers/webhooks", { url: "no address", events: ["*"] }, "url"],
  ["/developers/webhooks", { url: "https://8.8.8.8/a" }, "events"],
  ["/views", { list: "shipments", query: "", name: "" }, "name"],
];

const marked = (markup: string): string[] =>
  [...markup.matchAll(/<(?:input|select|textarea|p) [^>]*>/g)].flatMap(([tag]) => {
    const isWrong = tag.includes('aria-invalid="true"') || /class="problem" .*tabindex/.test(tag);
    return isWrong ? (/ id="(\w+)"/.exec(tag)?.[1] ?? "") : [];
  });

async function refusedPage(path: string, form: (typeof forms)[number][1]): Promise<string> {
  const response = await owner.post(path, form);
  const markup = await response.text();
  expect([path, response.status]).toEqual([path, 422]);
  return markup;
}

function expectFocus(markup: string, first: string): void {
  expect(marked(markup)[0]).toBe(first);
  const focused = [...markup.matchAll(/<\w+ [^>]*id="(\w+)"[^>]* autofocus[^>]*>/g)].map(([, id]) => id);
  expect(focused).toEqual([first]);
  const [, summary = ""] = /<div class="notice is-error"[^>]*>(.*?)<\/div>/s.exec(markup) ?? [];
  const targets = [...summary.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  expect(targets).toContain(first);
  for (const id of targets) expect(markup).toMatch(new RegExp(`<(?:input|select|textarea|p) [^>]*id="${id}"`));
}

test.each(forms)(
  "the refused form %s, sent with %j, has the focus in %s and links to it",
  async (path, form, first) => {
    expectFocus(await refusedPage(path, form), first);
  },
);

test("a refused edit of a shipment has the focus in its first wrong field", async () => {
  const { id } = await addShipment(app.database, account.id, { number: "REFUSED1" });
  const form = { references: "", tags: "x".repeat(60), note: "n".repeat(2_001), customer: "" };
  expectFocus(await refusedPage(`/shipments/${id}/edit`, form), "tags");
});
