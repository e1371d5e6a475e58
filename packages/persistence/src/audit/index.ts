export { type Actor, actingAs } from "./actor.ts";
export {
  type AuditFilters,
  type AuditLogReader,
  createAuditLogReader,
  recordFailedSignIn,
  removeOldAuditEvents,
} from "./audit-log.ts";
