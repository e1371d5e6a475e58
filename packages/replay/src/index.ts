export type { Difference } from "./difference.ts";
export type { ReplayContext } from "./replay-shipment.ts";
export { canonicalJson, compareFacts, type FactChanges } from "./reply-facts.ts";
export { type Verification, verify } from "./verify.ts";
