import { plainText } from "../output/plain-text.ts";
import type { Session } from "../session.ts";

interface DeliveredDocument {
  readonly data: { readonly id: string; readonly attributes: { readonly event: string; readonly created_at: string } };
  readonly included?: readonly { readonly type: string; readonly attributes?: object }[];
}

/** The numbers in what a delivery carries, which is what a person looks for. */
function subjectOf({ included = [] }: DeliveredDocument): string {
  const numbers = included.flatMap(({ attributes }) => {
    const {
      number,
      bill_of_lading_number: billOfLading,
      request_number: request,
    } = (attributes ?? {}) as Record<string, unknown>;
    return [number, billOfLading, request].filter((value) => typeof value === "string");
  });
  return [...new Set(numbers)].slice(0, 3).join(" ");
}

/** Prints deliveries: one line for a person, one JSON object a line for a program. */
export function deliveryPrinter({ output, context }: Session) {
  return async (document: DeliveredDocument, forwardedStatus?: number): Promise<void> => {
    if (output.shape === "json") return output.jsonLine(document);
    const { event, created_at: createdAt } = document.data.attributes;
    const outcome = forwardedStatus === undefined ? "" : `  → ${forwardedStatus}`;
    const text = plainText(`${createdAt.slice(11, 19)}  ${event}  ${subjectOf(document)}`);
    await context.write(`${text}${outcome}\n`);
  };
}
