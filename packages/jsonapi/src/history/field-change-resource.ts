import { etaChangeCauseKinds, etaChangeCauseText } from "@svc/domain/eta-changes";
import type { FieldChange } from "@svc/domain/history";
import { dataSources } from "@svc/domain/observations";
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
      cause: z
        .object({
          kind: z.enum(etaChangeCauseKinds),
          summary: z.string().describe("The cause in one sentence made of reported facts."),
        })
        .nullable()
        .describe(
          "Cause of a change of `pod_eta_at`. Null for its first value, for other attributes and for older changes.",
        ),
    }),
  })
  .meta({ id: "FieldChange" });

export type FieldChangeResource = z.infer<typeof FieldChangeResource>;

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
      cause: change.cause && { kind: change.cause.kind, summary: etaChangeCauseText(change.cause) },
    },
  };
}
