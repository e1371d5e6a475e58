export { hashPassword, verifyPassword } from "./password.ts";
export {
  createSessionRepository,
  type OpenSession,
  type SessionOwner,
  type SessionRepository,
  type UserCredentials,
} from "./session-repository.ts";
