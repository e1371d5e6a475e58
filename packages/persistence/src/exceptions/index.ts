export {
  type DueCheck,
  findAccountsWithDueChecks,
  lockDueChecks,
  readRequestsToCheck,
  readShipmentsToCheck,
  removeOldExceptions,
  settleChecks,
} from "./exception-checks.ts";
export {
  chargeGroupings,
  createExceptionRepository,
  type ExceptionFilters,
  exceptionGroupings,
} from "./exception-repository.ts";
export { type CheckedSubject, writeExceptions } from "./exception-writer.ts";
export { notifyExceptions } from "./notify-exceptions.ts";
export { countOpenExceptions } from "./open-exception-count.ts";
