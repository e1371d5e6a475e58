import { beforeEach, describe, expect, test } from "@jest/globals";
import { wireShipment } from "@svc/sdk/testing";
import { started } from "@svc/testkit/started";
import { startTools } from "../testing/tool-harness.ts";
import { updateShipment } from "./update-shipment.ts";

const stored = "Gate 4 <b>\nCall first";

const tools = started(startTools);
beforeEach(() => {
  tools.overrule(({ method, url }) => {
    if (!/^\/v2\/shipments\/[0-9a-f-]{36}(\?|$)/.test(url)) return undefined;
    return method === "PATCH" || method === "GET" ? { body: { data: wireShipment({ note: stored }) } } : undefined;
  });
});

async function write(input: object) {
  const before = tools.received.length;
  const { content, error } = await tools.call("update_shipment", { ids: ["MAEU123456789"], ...input });
  const patches = tools.received.slice(before).filter(({ method }) => method === "PATCH");
  const sent = patches.map(({ body }) => (body as { data: { attributes: object } }).data.attributes);
  return { row: content.results?.[0], error, sent };
}

describe("update_shipment writes the note of a shipment", () => {
  test("replaces it and shows it", async () => {
    const { row, sent } = await write({ note: "  Truck booked " });
    expect(row).toMatchObject({ outcome: "updated", note: "Truck booked" });
    expect(sent).toEqual([expect.objectContaining({ note: "Truck booked" })]);
  });

  test('removes the note with "none", and writes nothing for an equal note or with dry_run', async () => {
    expect((await write({ note: "none" })).sent).toEqual([expect.objectContaining({ note: null })]);
    expect(await write({ note: stored })).toMatchObject({ row: { outcome: "unchanged" }, sent: [] });
    expect(await write({ note: "New", dry_run: true })).toMatchObject({ row: { outcome: "would_update" }, sent: [] });
  });

  test("keeps the note when only tags are edited", async () => {
    const [sent] = (await write({ add_tags: ["late"] })).sent;
    expect(sent).toMatchObject({ tags: ["urgent", "late"] });
    expect(sent).not.toHaveProperty("note");
  });

  test("reads the shipment again when another client has changed it meanwhile", async () => {
    const tagsRead = [["urgent"], ["urgent", "paid"]];
    tools.overrule(({ method, url }) => {
      if (!/^\/v2\/shipments\/[0-9a-f-]{36}(\?|$)/.test(url)) return undefined;
      if (method === "PATCH" && tagsRead.length > 0)
        return { status: 412, body: { errors: [{ code: "precondition_failed" }] } };
      return {
        body: { data: wireShipment({ tags: (method === "GET" && tagsRead.shift()) || [] }) },
        headers: { etag: `"1"` },
      };
    });
    const { row, sent } = await write({ add_tags: ["late"] });
    expect(row).toMatchObject({ outcome: "updated", tags: ["urgent", "paid", "late"] });
    expect(sent).toEqual([{ tags: ["urgent", "late"] }, { tags: ["urgent", "paid", "late"] }]);
  });

  test("2,001 characters are refused by the name of the argument", async () => {
    expect(await write({ note: "x".repeat(2_001) })).toMatchObject({ error: "invalid_arguments", sent: [] });
  });

  test("the user is asked with the text of the note", () => {
    const confirmationFor = (input: object) => updateShipment.questionBefore({ ids: ["MAEU123456789"], ...input });
    expect(confirmationFor({ note: "Truck booked" })).toBe('Change 1 shipment (MAEU123456789): note "Truck booked"?');
    expect(confirmationFor({ note: "none" })).toBe("Change 1 shipment (MAEU123456789): remove the note?");
    expect(confirmationFor({ note: "x", dry_run: true })).toBeUndefined();
  });
});

test("get_shipment_details gives a note whole, defanged and on one line", async () => {
  const { content, text } = await tools.call("get_shipment_details", { id: "MAEU123456789" });
  expect(content.shipment.note).toBe("Gate 4 ‹b› Call first");
  expect(text).toContain("Gate 4 ‹b› Call first");
});
