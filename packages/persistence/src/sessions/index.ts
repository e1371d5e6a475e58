export { hashPassword, verifyPassword } from "./password.ts";
export {
  createSessionRepository,
  type OpenSession,
  type SessionOwner,
  type SessionRepository,
  type SignInMethod,
  type UserCredentials,
} from "./session-repository.ts";
