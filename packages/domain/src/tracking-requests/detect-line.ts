import { normalizeContainerNumber } from "../identifiers/container-number.ts";
import { type InferableLine, inferNumber } from "../identifiers/infer-number.ts";
import { compactNumber, type NumberingOfLine, normalizeShipmentNumber } from "../identifiers/shipment-number.ts";
import type { ShippingLine } from "../reference-data/shipping-line.ts";
import type { RequestType } from "./tracking-request.ts";

/** Whether the line can be polled by this type of number. */
export function supportsRequestType(line: ShippingLine, type: RequestType): boolean {
  if (type === "container") return line.containerNumberTrackingSupport;
  return type === "booking_number" ? line.bookingNumberTrackingSupport : line.billOfLadingTrackingSupport;
}

/** The form in which the line is polled. While the line is unknown, the number without separators. */
export function normalizeRequestNumber(type: RequestType, number: string, line: NumberingOfLine | null): string {
  if (type === "container") return normalizeContainerNumber(number);
  return line === null ? compactNumber(number) : normalizeShipmentNumber(number, line);
}

/** Detects the line of a number. Null when there is none, or when it does not support this type of number. */
export function detectLine<Line extends ShippingLine & InferableLine>(
  { requestType, requestNumber }: { readonly requestType: RequestType; readonly requestNumber: string },
  lines: readonly Line[],
): Line | null {
  const { selected } = inferNumber(requestNumber, lines);
  const line = lines.find(({ scac }) => scac === selected?.scac);
  return line !== undefined && supportsRequestType(line, requestType) ? line : null;
}
