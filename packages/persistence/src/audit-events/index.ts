export { type Actor, actingAs } from "./actor.ts";
export {
  createAuditLogReader,
  recordFailedCode,
  recordFailedSignIn,
  removeOldAuditEvents,
} from "./audit-log.ts";
