export { type Actor, actingAs } from "./actor.ts";
export {
  type AuditLogReader,
  createAuditLogReader,
  recordFailedCode,
  recordFailedSignIn,
  removeOldAuditEvents,
} from "./audit-log.ts";
