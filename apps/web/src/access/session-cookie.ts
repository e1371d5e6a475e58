import { createSecretCookie, type SecretCookie } from "./secret-cookie.ts";

/** The session cookie. Its value is also sent in calls of the API, which accepts it as a token (docs/adr/0015). */
export const createSessionCookie = (appUrl: string): SecretCookie => createSecretCookie(appUrl, "svc_session");
