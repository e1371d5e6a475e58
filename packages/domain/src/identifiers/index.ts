export { isLocode, isUuid, isValidImoNumber, locodeShape, uuidShape } from "./codes.ts";
export {
  containerCheckDigit,
  isValidContainerNumber,
  looksLikeContainerNumber,
  normalizeContainerNumber,
} from "./container-number.ts";
export { type InferableCarrier, type InferredNumber, inferNumber } from "./infer-number.ts";
export { type EquipmentType, equipmentTypes } from "./iso-size-type.ts";
export { compactNumber, displayNumber, normalizeShipmentNumber, numberForms } from "./shipment-number.ts";
