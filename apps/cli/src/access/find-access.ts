import { CliError, exitCodes } from "../errors/cli-error.ts";
import type { ProcessContext } from "../process-context.ts";
import { type Login, loginFile, readLogin } from "./login-file.ts";
import { runningDemo } from "./running-demo.ts";

export interface AccessOptions {
  readonly token?: string | undefined;
  readonly baseUrl?: string | undefined;
}

export interface Access extends Login {
  /** Origin of the token, as text for the user. */
  readonly source: string;
}

export const defaultBaseUrl = "http://localhost:4000/v2";

/** `https://x.example` and `https://x.example/v2/` are one service. */
export function sameService(one: string, other: string): boolean {
  const plain = (address: string) => address.toLowerCase().replace(/\/+$/, "").replace(/\/v2$/, "");
  return plain(one) === plain(other);
}

/**
 * Finds the token and the address of the API: in options, then in SVC_API_TOKEN and SVC_API_BASE_URL, then of `svc
 * login`, then of the system that `npm start` runs here. A stored token goes to the address that it was stored for and
 * to no other.
 */
export function findAccess(options: AccessOptions, context: ProcessContext): Access | undefined {
  const { SVC_API_TOKEN, SVC_API_BASE_URL } = context.environment;
  const requestedUrl = options.baseUrl ?? (SVC_API_BASE_URL || undefined);
  const token = options.token ?? (SVC_API_TOKEN || undefined);
  const login = readLogin(loginFile(context));
  const demo = runningDemo(context);
  if (token !== undefined) {
    const baseUrl = requestedUrl ?? login?.baseUrl ?? demo?.baseUrl ?? defaultBaseUrl;
    return { token, baseUrl, source: options.token === undefined ? "SVC_API_TOKEN" : "--token" };
  }
  const fits = (stored: Login | undefined) =>
    stored && (requestedUrl === undefined || sameService(requestedUrl, stored.baseUrl));
  if (login && fits(login)) return { ...login, source: loginFile(context) };
  if (demo && fits(demo)) return { token: demo.token, baseUrl: demo.baseUrl, source: demo.file };
  return undefined;
}

export function requireAccess(options: AccessOptions, context: ProcessContext): Access {
  const access = findAccess(options, context);
  if (access) return access;
  throw new CliError(
    exitCodes.authentication,
    "There is no token. Store one with `svc login`, set SVC_API_TOKEN, or run `npm start` here.",
  );
}
