export { hashPassword, verifyPassword } from "./password.ts";
export {
  createSessionRepository,
  type OpenSession,
  type SessionOwner,
  type SessionRepository,
} from "./session-repository.ts";
