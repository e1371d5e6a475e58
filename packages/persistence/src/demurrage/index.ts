export {
  hasPendingDemurrage,
  readContainersToCharge,
  readDemurrageInputs,
  readDemurrageRules,
  readLastFreeDaysByRule,
  storeDemurrage,
} from "./container-demurrage.ts";
export { createDemurrageRuleRepository } from "./demurrage-rule-repository.ts";
export { notifyDemurrage } from "./notify-demurrage.ts";
export { continueRecomputation } from "./recompute-demurrage.ts";
