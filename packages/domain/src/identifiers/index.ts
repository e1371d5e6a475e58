export {
  containerCheckDigit,
  isValidContainerNumber,
  looksLikeContainerNumber,
  normalizeContainerNumber,
} from "./container-number.ts";
export { isValidImoNumber } from "./imo-number.ts";
export { type InferableLine, type InferredNumber, inferNumber, type LineCandidate } from "./infer-number.ts";
export { decodeSizeType, type Equipment } from "./iso-size-type.ts";
export { isLocode } from "./locode.ts";
export { numberForms } from "./number-forms.ts";
export { isScac } from "./scac.ts";
export { compactNumber, type NumberingOfLine, normalizeShipmentNumber } from "./shipment-number.ts";
