export { etaChangeCauseText } from "./describe-eta-change.ts";
export {
  type EtaChangeCause,
  etaChangeCause,
  etaChangeCauseKinds,
} from "./eta-change-cause.ts";
export type { PlannedVoyage } from "./planned-voyage.ts";
