import { normalizeContainerNumber } from "../identifiers/container-number.ts";
import { type InferableCarrier, inferNumber } from "../identifiers/infer-number.ts";
import { type CarrierNumbering, compactNumber, normalizeShipmentNumber } from "../identifiers/shipment-number.ts";
import type { ShippingLine } from "../reference-data/shipping-line.ts";
import type { RequestType } from "./tracking-request.ts";

/** Whether the carrier can be polled by this type of number. */
export function supportsRequestType(carrier: ShippingLine, type: RequestType): boolean {
  if (type === "container") return carrier.containerNumberTrackingSupport;
  return type === "booking_number" ? carrier.bookingNumberTrackingSupport : carrier.billOfLadingTrackingSupport;
}

/** The form in which the carrier is polled. While the carrier is unknown, the number without separators. */
export function normalizeRequestNumber(type: RequestType, number: string, carrier: CarrierNumbering | null): string {
  if (type === "container") return normalizeContainerNumber(number);
  return carrier === null ? compactNumber(number) : normalizeShipmentNumber(number, carrier);
}

/** Detects the carrier of a number. Null when there is none, or when it does not support this type of number. */
export function detectCarrier<Carrier extends ShippingLine & InferableCarrier>(
  { requestType, requestNumber }: { readonly requestType: RequestType; readonly requestNumber: string },
  carriers: readonly Carrier[],
): Carrier | null {
  const { selected } = inferNumber(requestNumber, carriers);
  const carrier = carriers.find(({ scac }) => scac === selected?.scac);
  return carrier !== undefined && supportsRequestType(carrier, requestType) ? carrier : null;
}
