export {
  type DemurrageOfContainer,
  hasPendingDemurrage,
  readContainersToCharge,
  readDemurrageOfContainer,
  readDemurrageRules,
  storeDemurrage,
} from "./container-demurrage.ts";
export { createDemurrageRuleRepository, type DemurrageRuleRepository } from "./demurrage-rule-repository.ts";
export { notifyDemurrage } from "./notify-demurrage.ts";
export { continueRecomputation } from "./recompute-demurrage.ts";
