export {
  containerCheckDigit,
  isValidContainerNumber,
  looksLikeContainerNumber,
  normalizeContainerNumber,
} from "./container-number.ts";
export { isValidImoNumber } from "./imo-number.ts";
export { type InferableLine, type InferredNumber, inferNumber } from "./infer-number.ts";
export { isLocode } from "./locode.ts";
export { numberForms } from "./number-forms.ts";
export { compactNumber, normalizeShipmentNumber } from "./shipment-number.ts";
