export {
  hasPendingDemurrage,
  readContainersToCharge,
  readDemurrageOfContainer,
  readDemurrageRules,
  readLastFreeDaysByRule,
  storeDemurrage,
} from "./container-demurrage.ts";
export { createDemurrageRuleRepository } from "./demurrage-rule-repository.ts";
export { notifyDemurrage } from "./notify-demurrage.ts";
export { continueRecomputation } from "./recompute-demurrage.ts";
