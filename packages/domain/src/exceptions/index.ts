export { connectionAtRisk } from "./connection-at-risk.ts";
export { type ChargedDetails, chargedExceptionKinds, containerCost, runningChargeKinds } from "./container-cost.ts";
export {
  type DelayException,
  delayReasonKinds,
  delayReasonText,
  exceptionCause,
  exceptionSummary,
  summaryWithoutPrice,
} from "./describe-exception.ts";
export {
  type Exception,
  type ExceptionDetails,
  type ExceptionKind,
  type ExceptionResolution,
  type ExceptionSeverity,
  type ExceptionStatus,
  exceptionKinds,
  exceptionPriority,
  exceptionResolutions,
  exceptionSeverities,
  exceptionStatus,
  exceptionStatuses,
  type FoundException,
} from "./exception.ts";
export { cargoContext, type ExceptionSubject, exceptionContext } from "./exception-context.ts";
export {
  type ArrivalExceptionFacts,
  type ContainerExceptionFacts,
  evaluateShipment,
  type ShipmentExceptionFacts,
} from "./exception-rules.ts";
export {
  arrivalKinds,
  type ExceptionHandling,
  type ExceptionStep,
  exceptionSteps,
  inheritedHandling,
  isNextStep,
} from "./exception-steps.ts";
export { exceptionThresholds } from "./exception-thresholds.ts";
export { portOfDischargeChange } from "./port-of-discharge-change.ts";
export { evaluateRequest, type RequestExceptionFacts } from "./request-exception-rules.ts";
export {
  addCurrencySums,
  type ChargedException,
  type ChargeSums,
  type CurrencySum,
  sumByCurrency,
  sumCharges,
} from "./sum-charges.ts";
export { voyageChange } from "./voyage-changes.ts";
