import type { Instant } from "@svc/domain";
import { type DataSource, dataSources } from "@svc/domain/observations";
import { z } from "zod";
import { dateTime } from "../resource.ts";
import { toWireName, toWireValue } from "../wire-names.ts";

/**
 * docs/contract/decisions.md 3, Field history. Read with its shipment or container, so it has no URL.
 */
export const FieldChangeResource = z
  .object({
    id: z.uuid(),
    type: z.literal("field_change"),
    attributes: z.object({
      field: z.string().describe("Name of the attribute."),
      old_value: z.unknown().describe("The previous value, null when there was none."),
      new_value: z.unknown(),
      changed_at: dateTime,
      superseded_at: dateTime.nullable().describe("When the value was replaced; null while it is current."),
      data_source: z.enum(dataSources),
      rule: z.string().describe("The rule that derived the value from the source's report."),
      source_event_id: z
        .uuid()
        .nullable()
        .describe("The raw event that the value follows from. Null when there are several."),
    }),
  })
  .meta({ id: "FieldChange" });

export type FieldChangeResource = z.infer<typeof FieldChangeResource>;

export interface FieldChange {
  readonly id: string;
  /** By its name in the domain. */
  readonly field: string;
  readonly value: unknown;
  readonly previousValue: unknown;
  readonly rule: string;
  readonly dataSource: DataSource;
  readonly observationId: string | null;
  readonly validFrom: Instant;
  readonly supersededAt: Instant | null;
}

export function fieldChangeResource(change: FieldChange): FieldChangeResource {
  return {
    id: change.id,
    type: "field_change",
    attributes: {
      field: toWireName(change.field),
      old_value: toWireValue(change.previousValue ?? null),
      new_value: toWireValue(change.value ?? null),
      changed_at: change.validFrom,
      superseded_at: change.supersededAt,
      data_source: change.dataSource,
      rule: change.rule,
      source_event_id: change.observationId,
    },
  };
}
