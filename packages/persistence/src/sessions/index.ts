export { hashPassword, verifyPassword } from "./password.ts";
export { endSessionsByProvider, type SessionIdentity } from "./provider-logout.ts";
export {
  createSessionRepository,
  type OpenSession,
  type SessionOwner,
  type SessionRepository,
  type SignInMethod,
  type UserCredentials,
} from "./session-repository.ts";
