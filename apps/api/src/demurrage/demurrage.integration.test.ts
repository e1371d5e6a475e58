import { beforeAll, describe, expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { ContainerDemurrageResource, DemurrageRuleResource } from "@svc/jsonapi/demurrage";
import { started } from "@svc/testkit/started";
import { insertContainer, insertShipment } from "../testing/rows.ts";
import { startTestApi } from "../testing/start-test-api.ts";

const api = started(startTestApi);
beforeAll(async () => {
  api.setNow(instant("2026-12-24T20:00:00.000Z"));
});

const tariff = {
  name: "Line tariff",
  kind: "demurrage",
  direction: "import",
  free_days: 2,
  currency_code: "USD",
  tiers: [
    { from_day: 1, amount_per_day: "75.10" },
    { from_day: 2, amount_per_day: "150.20" },
  ],
};
const document = (attributes: object) => ({ data: { type: "demurrage_rule", attributes } });
const create = (attributes: object) => api.request("/demurrage_rules", { method: "POST", body: document(attributes) });
const edit = (id: string, attributes: object) =>
  api.request(`/demurrage_rules/${id}`, { method: "PATCH", body: document(attributes) });
const remove = (id: string) => api.request(`/demurrage_rules/${id}`, { method: "DELETE" });

describe("demurrage rules", () => {
  test("have defaults, are listed, changed and deleted", async () => {
    const { status, body } = await create(tariff);
    expect(status).toBe(201);
    expect(DemurrageRuleResource.safeParse(body.data).error).toBeUndefined();
    const { id, attributes } = body.data;
    expect(attributes).toMatchObject({
      ...tariff,
      carrier_scac: null,
      port_locode: null,
      terminal_code: null,
      counting_start: "discharged",
      start_offset_days: 1,
      free_day_calendar: "calendar_days",
      weekend_days: [6, 7],
      holidays: [],
    });
    const edited = await edit(id, { direction: "export", holidays: ["2026-12-26", "2026-12-25", "2026-12-25"] });
    expect(edited.body.data.attributes).toMatchObject({
      counting_start: "full_in",
      free_days: 2,
      holidays: ["2026-12-25", "2026-12-26"],
    });
    expect((await api.request("/demurrage_rules")).body.data).toMatchObject([{ id }]);
    expect((await remove(id)).status).toBe(204);
    expect((await api.request(`/demurrage_rules/${id}`)).status).toBe(404);
  });

  test.each([
    ["a start that the kind does not have", { counting_start: "full_in" }, "counting_start"],
    ["a terminal without its port", { terminal_code: "Y258" }, "terminal_code"],
    ["an unknown port", { port_locode: "USZZZ" }, "port_locode"],
    ["an unknown currency", { currency_code: "ABC" }, "currency_code"],
    ["an amount as a number", { tiers: [{ from_day: 1, amount_per_day: 75 }] }, "tiers/0/amount_per_day"],
    ["an amount that is none", { tiers: [{ from_day: 1, amount_per_day: "-5" }] }, "tiers/0"],
    ["no tier", { tiers: [] }, "tiers"],
    ["tiers out of order", { tiers: [...tariff.tiers, { from_day: 2, amount_per_day: "9" }] }, "tiers/2"],
    ["a date that does not exist", { holidays: ["2026-02-30"] }, "holidays/0"],
    ["a holiday of the year 0", { holidays: ["0000-12-25"] }, "holidays/0"],
    ["a validity from the year 0", { valid_from: "0000-01-01" }, "valid_from"],
    ["a validity until the year 0", { valid_until: "0000-01-01" }, "valid_until"],
    ["a validity that ends before it starts", { valid_from: "2026-02-01", valid_until: "2026-01-01" }, "valid_until"],
    ["negative free days", { free_days: -1 }, "free_days"],
    ["no working day", { weekend_days: [1, 2, 3, 4, 5, 6, 7] }, "weekend_days"],
  ])("%s is refused, and nothing is stored", async (_what, changes, name) => {
    const { status, body } = await create({ ...tariff, ...changes });
    expect([status, body.errors[0].source.pointer]).toEqual([422, `/data/attributes/${name}`]);
    expect((await api.request("/demurrage_rules")).body.data).toEqual([]);
  });

  test("are not found by another account", async () => {
    const { body } = await create(tariff);
    const other = await api.createAccount();
    for (const method of ["GET", "DELETE"] as const) {
      const path = `/demurrage_rules/${body.data.id}`;
      expect((await api.request(path, { method, token: other.token })).status).toBe(404);
    }
    await remove(body.data.id);
  });
});

describe("GET /containers/{id}/demurrage", () => {
  test("explains each day, beside the last free days that were reported", async () => {
    const port = await api.database.prisma.port.findFirstOrThrow({ where: { locode: "USLAX" } });
    const shipmentId = await insertShipment(api.database, api.account.id, { portOfDischargeId: port.id });
    const containerId = await insertContainer(api.database, api.account.id, shipmentId, {
      podDischargedAt: new Date("2026-12-21T20:00:00Z"),
      pickupLfdTerminal: new Date("2026-12-25T08:00:00Z"),
    });
    const read = () => api.request(`/containers/${containerId}/demurrage`);
    expect((await read()).body.data.attributes).toMatchObject({ charges: [], amounts: [] });
    const { body: rule } = await create({ ...tariff, port_locode: "USLAX" });
    const { status, body } = await read();
    expect(status).toBe(200);
    expect(ContainerDemurrageResource.safeParse(body.data).error).toBeUndefined();
    expect(body.data.attributes).toMatchObject({
      amounts: [{ amount: "75.10", currency_code: "USD" }],
      last_free_day_terminal: "2026-12-25",
      last_free_day_line: null,
    });
    const [charge] = body.data.attributes.charges;
    expect(charge).toMatchObject({
      status: "charged",
      rule_id: rule.data.id,
      start_day: "2026-12-22",
      last_free_day: "2026-12-23",
      charged_days: 1,
      amount: "75.10",
      amount_per_day: "150.20",
      time_zone: "America/Los_Angeles",
    });
    expect(charge.days.map(({ free }: { free: string | null }) => free)).toEqual(["free_day", "free_day", null]);
    expect(charge.explanation).toContain("1 day charged: 1 × 75.10 = 75.10 USD.");
    const other = await api.createAccount();
    expect((await api.request(`/containers/${containerId}/demurrage`, { token: other.token })).status).toBe(404);
  });
});
