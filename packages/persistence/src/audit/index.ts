export { type Actor, actingAs } from "./actor.ts";
export {
  type AuditLogReader,
  createAuditLogReader,
  recordFailedSignIn,
  removeOldAuditEvents,
} from "./audit-log.ts";
