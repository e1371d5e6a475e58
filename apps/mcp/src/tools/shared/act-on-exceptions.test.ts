import { beforeAll, describe, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { containerId } from "../../testing/fake-api.ts";
import { startTools } from "../../testing/tool-harness.ts";
import { updateShipment } from "../update-shipment.ts";

const exceptionId = "0198c6d8-0000-7000-8000-00000000000e";
const exception = {
  id: exceptionId,
  type: "exception",
  attributes: {
    number: "MSKU0000006",
    kind: "last_free_day_over",
    severity: "high",
    summary: "2 days over",
    status: "open",
    cause: null,
    shipment_number: "MAEU123456789",
    last_free_day: "2026-10-25",
    estimated_arrival_at: null,
    owner: null,
    note: null,
    snoozed_until: null,
    opened_at: "2026-10-26T00:00:00.000Z",
  },
  relationships: { shipment: { data: null } },
};

const tools = started(startTools);
beforeAll(async () => {
  tools.overrule(({ method, url }) => {
    if (!url.startsWith("/v2/exceptions")) return undefined;
    return { body: method === "PATCH" ? { data: exception } : { data: [exception], meta: { total: 1, size: 1 } } };
  });
});

const edits = (from: number) => tools.received.slice(from).filter(({ method }) => method === "PATCH");
const act = (exceptions: object, others: object = {}) =>
  tools.call("update_shipment", { ids: ["MSKU0000006"], exceptions, ...others });

describe("update_shipment acts on exceptions", () => {
  test("updates the exceptions of the named container, with the given attributes only", async () => {
    const before = tools.received.length;
    const { content } = await act({ kind: ["last_free_day_over"], snoozed_until: "2040-01-31", owner: "none" });
    expect(content.results[0]).toMatchObject({ outcome: "updated", exceptions: [{ kind: "last_free_day_over" }] });
    const [list] = tools.received.slice(before).filter(({ url }) => url.startsWith("/v2/exceptions?"));
    const { searchParams } = new URL(list?.url ?? "", "http://api.test");
    expect(Object.fromEntries(searchParams)).toMatchObject({
      "filter[container]": containerId,
      "filter[kind]": "last_free_day_over",
      "filter[status]": "open,snoozed",
      "filter[ended]": "false",
    });
    expect(
      edits(before).map(({ url, body }) => [url, (body as { data: { attributes: object } }).data.attributes]),
    ).toEqual([[`/v2/exceptions/${exceptionId}`, { snoozed_until: "2040-01-31T00:00:00Z", owner: null }]]);
  });

  test("with dry_run it only names them", async () => {
    const before = tools.received.length;
    const { content } = await act({ status: "resolved" }, { dry_run: true });
    expect(content.results[0]).toMatchObject({ outcome: "would_update", exceptions: [{ kind: "last_free_day_over" }] });
    expect(edits(before)).toEqual([]);
  });

  test("an edit without a change, or with an invalid date, is refused with the accepted values", async () => {
    expect(await act({ kind: ["last_free_day_over"] })).toMatchObject({
      error: "invalid_arguments",
      text: expect.stringContaining("status, snoozed_until, owner or note"),
    });
    expect(await act({ snoozed_until: "tomorrow" })).toMatchObject({ error: "invalid_arguments" });
  });

  test("shows the user the exact change", () => {
    const exceptions = { kind: ["last_free_day_over"], status: "resolved", owner: "anna@example.com", note: "<b>" };
    expect(updateShipment.questionBefore({ ids: ["MSKU0000006"], exceptions })).toBe(
      "Change 1 shipment (MSKU0000006): resolve exceptions (last_free_day_over), " +
        'exceptions (last_free_day_over) to "anna@example.com", note on exceptions (last_free_day_over) "‹b›"?',
    );
  });
});
