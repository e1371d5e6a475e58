import { describe, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { addShipment } from "../testing/add-shipment.ts";
import { startApiProxy } from "../testing/start-api-proxy.ts";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const path = "/account/demurrage";
const form = {
  name: "Contract of Kite",
  kind: "demurrage",
  direction: "import",
  carrierScac: "",
  portLocode: "",
  terminalCode: "",
  equipmentTypes: "",
  equipmentLengths: "",
  validFrom: "",
  validUntil: "",
  countingStart: "",
  startOffsetDays: "1",
  freeDays: "2",
  freeDayCalendar: "calendar_days",
  chargedDayCalendar: "calendar_days",
  weekendDays: ["6", "7"],
  holidays: "2026-12-25",
  currencyCode: "usd",
  tierDay: ["1", "", " 3"],
  tierAmount: ["75.10", "", "150.20"],
};

const app = started(() => startTestWeb({ withApi: true }));

const account = started(() => app.addAccount());
const owner = started(() => app.visit(account));

const textOf = async (address: string, by = owner) => (await by.get(address)).text();
const rules = () => app.database.prisma.demurrageRule.findMany({ where: { accountId: account.id } });

describe("demurrage rules on the pages", () => {
  test("a rule is created, shown, edited and deleted", async () => {
    expect(await textOf(path)).toContain("No rules yet");
    const created = await owner.post(path, { ...form, key: "" });
    expect([created.status, created.headers.get("location")]).toEqual([303, `${path}?done=created`]);
    const [rule] = await rules();
    expect(rule).toMatchObject({ name: "Contract of Kite", freeDays: 2, currencyCode: "USD", weekendDays: [6, 7] });
    const list = visibleText(await textOf(path));
    expect(list).toContain("Demurrage, import");
    expect(list).toContain("Every container");
    expect(list).toContain("75.10 USD from day 1, 150.20 USD from day 3");
    const edit = `${path}/${rule?.id}/edit`;
    const rows = [...(await textOf(edit)).matchAll(/name="tier(?:Day|Amount)" value="([^"]*)"/g)].map(
      ([, value]) => value,
    );
    const options = [...(await textOf(edit)).matchAll(/<option value="(\w+)"[^>]*>([^<]*)/g)].map(([, ...one]) => one);
    expect(options).toContainEqual(["SBXL", "Sandbox (SBXL)"]);
    expect(options).toContainEqual(["EUR", "EUR (Euro)"]);
    expect(rows).toEqual(["1", "75.10", "3", "150.20", ...Array.from({ length: 8 }, () => "")]);
    const saved = await owner.post(edit, { ...form, freeDays: "4", equipmentLengths: "20, 40" });
    expect(saved.headers.get("location")).toBe(`${path}?done=saved`);
    expect(await rules()).toMatchObject([{ freeDays: 4, equipmentLengths: [20, 40] }]);
    await owner.post(edit, { ...form, portLocode: "rotterdam", carrierScac: "SBXL" });
    expect(await rules()).toMatchObject([{ portLocode: "NLRTM", carrierScac: "SBXL" }]);
    expect(await textOf(`${path}/${rule?.id}/delete`)).toContain("Delete “Contract of Kite”?");
    await owner.post(`${path}/${rule?.id}/delete`, {});
    expect(await rules()).toEqual([]);
  });

  test.each([
    ["no free days", { freeDays: "" }, "Enter the number of free days"],
    ["no amount", { tierDay: ["1"], tierAmount: [""] }, "Enter a day and an amount in each row"],
    ["an amount in words", { tierDay: ["1"], tierAmount: ["much"] }, "Enter a day and an amount in each row"],
    ["no charges", { tierDay: [], tierAmount: [] }, "Enter the amount per day from day 1"],
    ["an unknown currency", { currencyCode: "ABC" }, "no currency of ISO 4217"],
    ["a port without that name", { portLocode: "Atlantis" }, "No single port was found for “Atlantis”"],
    ["the beginning of several names", { portLocode: "Ha" }, "No single port was found for “Ha”"],
    ["a terminal without a port", { terminalCode: "Y258" }, "Add the UN/LOCODE"],
    ["a date that does not exist", { holidays: "2026-02-30" }, "must be a date such as"],
  ])("%s is explained beside the field, with the form as it was filled", async (_what, changes, problem) => {
    const response = await owner.post(path, { ...form, ...changes });
    const text = await response.text();
    expect(response.status).toBe(422);
    expect(visibleText(text)).toContain(problem);
    expect(text).toContain("Contract of Kite");
    expect(await rules()).toEqual([]);
  });

  test("keeps what was entered when ports cannot be looked up, and looks up no port that the rule has", async () => {
    const calls: string[] = [];
    const proxy = await startApiProxy(app.apiBaseUrl, async (call) => {
      calls.push(call);
      return call.startsWith("GET /v2/ports") ? "drop" : undefined;
    });
    const proxied = await startTestWeb({ database: app, runningApi: proxy.baseUrl });
    const visitor = await proxied.visit(account);
    const refused = await visitor.post(path, { ...form, portLocode: "Rotterdam" });
    const text = await refused.text();
    expect([refused.status, visibleText(text)]).toEqual([
      422,
      expect.stringContaining("No single port was found for “Rotterdam”."),
    ]);
    expect(text).toContain('value="Contract of Kite"');
    expect((await visitor.post(path, { ...form, portLocode: "NLRTM" })).headers.get("location")).toBe(
      `${path}?done=created`,
    );
    const [rule] = await rules();
    calls.length = 0;
    await visitor.post(`${path}/${rule?.id}/edit`, { ...form, portLocode: "NLRTM", freeDays: "9" });
    expect(await rules()).toMatchObject([{ portLocode: "NLRTM", freeDays: 9 }]);
    expect(calls.filter((call) => call.includes("/ports"))).toEqual([]);
    await owner.post(`${path}/${rule?.id}/delete`, {});
    await proxied.close();
    await proxy.close();
  });

  test("the container's page explains each day; a rule of another account is not found", async () => {
    const number = "SBXU0000019";
    const { containerIds } = await addShipment(app.database, account.id, { number: "SBXL77", containers: [number] });
    const [id = ""] = containerIds;
    expect(await textOf(`/containers/${id}`)).not.toContain("Charges");
    await app.database.prisma.container.updateMany({
      where: { accountId: account.id, id },
      data: {
        podDischargedAt: new Date(Date.now() - 6 * 86_400_000),
        feesAtPodTerminal: [{ type: "demurrage", amount: 1_000, currencyCode: "USD" }],
      },
    });
    await owner.post(path, form);
    const markup = await textOf(`/containers/${id}`);
    const pageText = visibleText(markup);
    expect(markup).toContain('<td class="amount" data-label="Amount">75.10 USD</td>');
    expect(pageText).toContain("Charges 1,000.00 USD");
    expect(pageText).toMatch(/Demurrage 1,000\.00 USD \d+\.\d\d USD/);
    expect(pageText).toContain("Free day 1");
    expect(pageText).toContain("Charged day 1");
    expect(pageText).toContain("75.10 USD");
    expect(pageText).toMatch(/The terminal charges \d+\.\d\d USD more than Contract of Kite/);
    const [rule] = await rules();
    const otherVisitor = await app.visit(await app.addAccount());
    expect((await otherVisitor.get(`${path}/${rule?.id}/edit`)).status).toBe(404);
  });
});
