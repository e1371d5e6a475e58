import { beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { dayMs } from "@svc/domain";
import type { InitialCustomField } from "@svc/domain/custom-fields";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { voyage } from "../testing/dcsa-carrier.ts";
import { setUpTracking } from "../testing/tracking-setup.ts";

const week = uuidV7.next();
const gate = uuidV7.next();
const [first, second] = ["MSKU0000006", "MSKU0000011"];

const define = (id: string, entityType: string, slug: string, dataType: string) =>
  setup.rows(
    `INSERT INTO custom_field_definitions (account_id, id, entity_type, api_slug, display_name,
       data_type, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $4, $5, now(), now())`,
    setup.accountId,
    id,
    entityType,
    slug,
    dataType,
  );

const addOption = (definitionId: string, value: string) =>
  setup.rows(
    `INSERT INTO custom_field_options (account_id, id, definition_id, label, value, created_at, updated_at)
     VALUES ($1, uuidv7(), $2, $3, $3, now(), now())`,
    setup.accountId,
    definitionId,
    value,
  );

const setup = started(setUpTracking);
beforeAll(async () => {
  await define(week, "Shipment", "week", "number");
  await define(gate, "Container", "gate", "enum");
  for (const option of ["A", "B", "C"]) await addOption(gate, option);
});
beforeEach(() => setup.reset());

const shipmentField = (value: number): InitialCustomField => ({
  entityType: "Shipment",
  definitionId: week,
  value,
  containerNumber: null,
});
const containerField = (value: string, containerNumber: string | null = null): InitialCustomField => ({
  entityType: "Container",
  definitionId: gate,
  value,
  containerNumber,
});

/** Values by container number; those of the shipment under its own number. */
async function valuesOf(number: string): Promise<Record<string, unknown>> {
  const fields = await setup.rows<{ number: string; value: unknown }>(
    `SELECT e.number, f.value FROM custom_fields f JOIN (
       SELECT id, normalized_number AS number FROM shipments WHERE normalized_number = $1
       UNION ALL SELECT c.id, c.number FROM containers c JOIN shipments s ON s.id = c.shipment_id
        WHERE s.normalized_number = $1
     ) AS e ON e.id = f.entity_id WHERE f.account_id = $2`,
    number,
    setup.accountId,
  );
  return Object.fromEntries(fields.map((field) => [field.number, field.value]));
}

async function later(days = 1): Promise<void> {
  setup.clock.advance(days * dayMs);
  await setup.pollDue();
}

describe("initial custom fields of a request", () => {
  test("are set when the shipment and its containers are created; one for a single container precedes one for all", async () => {
    setup.line.answer("INIT1", voyage([first, second]));
    await setup.request("INIT1", {
      initialCustomFields: [shipmentField(5), containerField("A"), containerField("B", second)],
    });
    await setup.pollDue();
    expect(await valuesOf("INIT1")).toEqual({ INIT1: 5, [first]: "A", [second]: "B" });
  });

  test("are set for a container that is added later; deleted values stay deleted", async () => {
    setup.line.answer("INIT2", voyage([first]));
    await setup.request("INIT2", { initialCustomFields: [shipmentField(5), containerField("A")] });
    await setup.pollDue();
    await setup.rows("DELETE FROM custom_fields WHERE account_id = $1 AND definition_id = $2", setup.accountId, week);
    setup.line.answer("INIT2", voyage([first, second]));
    await later();
    expect(await valuesOf("INIT2")).toEqual({ [first]: "A", [second]: "A" });
  });

  test("set only missing values when a later request tracks the same shipment", async () => {
    setup.line.answer("INIT3", voyage([first]));
    const id = await setup.request("INIT3", { initialCustomFields: [shipmentField(5)] });
    await setup.pollDue();
    await setup.rows("UPDATE tracking_requests SET status = 'failed' WHERE id = $1", id);
    await setup.request("INIT3", { initialCustomFields: [shipmentField(6), containerField("C")] });
    await later();
    expect(await valuesOf("INIT3")).toEqual({ INIT3: 5, [first]: "C" });
  });

  test("are skipped when the option or the definition was deleted", async () => {
    const gone = uuidV7.next();
    await define(gone, "Shipment", "gone", "number");
    await addOption(gate, "D");
    setup.line.answer("INIT4", voyage([first]));
    const fields = [containerField("D"), { ...shipmentField(1), definitionId: gone }, shipmentField(5)];
    await setup.request("INIT4", { initialCustomFields: fields });
    await setup.rows("DELETE FROM custom_field_definitions WHERE id = $1", gone);
    await setup.rows("DELETE FROM custom_field_options WHERE value = 'D'");
    await setup.pollDue();
    expect(await valuesOf("INIT4")).toEqual({ INIT4: 5 });
  });
});
