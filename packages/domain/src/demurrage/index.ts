export {
  type ChargeSummary,
  type ComputedDemurrage,
  computeDemurrage,
  type DemurrageCharge,
  type DemurrageFacts,
  demurrageStatuses,
  freeReasons,
  lastFreeDayByRule,
} from "./compute-demurrage.ts";
export { isCurrencyCode, sumAmounts } from "./decimal-amount.ts";
export {
  countingEnds,
  countingStarts,
  type DemurrageRule,
  type DemurrageSettings,
  dayCalendars,
  demurrageKinds,
  demurrageRuleFields,
  demurrageSettingFields,
  tradeDirections,
} from "./demurrage-rule.ts";
export { demurrageSettings } from "./demurrage-settings.ts";
export {
  countingStartEvents,
  countingStartLabels,
  demurrageKindLabels,
  describeDemurrage,
} from "./describe-demurrage.ts";
export { type FeeReport, reportedAmounts, reportedDemurrage } from "./reported-charges.ts";
export { ruleProblem } from "./rule-problems.ts";
