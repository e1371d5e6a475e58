import type { InferredNumber } from "@svc/domain/identifiers";
import { z } from "zod";
import { text } from "../documents/text.ts";

/** docs/contract/reference.md 1.1: not a JSON:API document. */
export const inferNumberBody = z.strictObject({ number: text(100) });

const CarrierCandidate = z.object({ scac: z.string(), name: z.string(), confidence: z.number().describe("0 to 1") });

/** docs/contract/reference.md 1.1.2. */
export const InferNumberDocument = z
  .object({
    data: z.object({
      id: z.string(),
      type: z.literal("infer_number_results"),
      attributes: z.object({
        number_type: z.enum(["container", "bill_of_lading", "booking"]),
        validation: z.object({
          is_valid: z.boolean().nullable(),
          type: z.enum(["container", "shipment"]),
          check_digit_passed: z.boolean().nullable(),
          parsed_number: z.string(),
          reason: z.string().nullable(),
        }),
        shipping_line: z.object({
          decision: z.enum(["auto_select", "needs_confirmation", "no_prediction"]),
          selected: CarrierCandidate.nullable(),
          candidates: z.array(CarrierCandidate),
        }),
      }),
    }),
  })
  .meta({ id: "InferNumberResult" });

export type InferNumberDocument = z.infer<typeof InferNumberDocument>;

export function inferNumberDocument(id: string, inferred: InferredNumber): InferNumberDocument {
  const { validation } = inferred;
  return {
    data: {
      id,
      type: "infer_number_results",
      attributes: {
        number_type: inferred.numberType,
        validation: {
          is_valid: validation.isValid,
          type: validation.type,
          check_digit_passed: validation.checkDigitPassed,
          parsed_number: validation.parsedNumber,
          reason: validation.reason,
        },
        shipping_line: {
          decision: inferred.decision,
          selected: inferred.selected,
          candidates: [...inferred.candidates],
        },
      },
    },
  };
}
