export type { Difference } from "./difference.ts";
export type { ReplayContext } from "./replay-shipment.ts";
export { type Verification, verify } from "./verify.ts";
