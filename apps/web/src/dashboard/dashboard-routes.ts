import { TrackingError } from "@svc/jsonapi";
import { type Client, createClient } from "@svc/sdk";
import { type Request, type Response, Router } from "express";
import type { Addresses } from "../access/agent-note.ts";
import type { Caller, Callers } from "../access/callers.ts";
import { refuseUnknown } from "../access/refuse-unknown.ts";
import type { SessionCookie } from "../access/session-cookie.ts";
import { type FormValues, formValues } from "../forms/form-values.ts";
import { readFormWithFiles } from "../forms/form-with-files.ts";
import { ownForms } from "../http/own-forms.ts";

/** A user who is signed in. */
export interface SignedInCaller extends Caller {
  readonly user: NonNullable<Caller["user"]>;
  /** The session of the request: the SHA-256 of its cookie. */
  readonly sessionSha256: Buffer;
  /** API client with the account, permissions and rate limits of this user. */
  readonly api: Client;
}

export type PageRoute = (request: Request, response: Response, caller: SignedInCaller) => Promise<void>;
export type FormRoute = (
  request: Request,
  response: Response,
  caller: SignedInCaller,
  form: FormValues,
) => Promise<void>;

/** Pages for signed-in users. Programs use the API. */
export interface DashboardRoutes {
  readonly router: Router;
  page(path: string, route: PageRoute): void;
  /** A form that is posted from one of our pages; with `filesBytesMax` one with files, of so many bytes altogether. */
  form(path: string, route: FormRoute, options?: { readonly filesBytesMax?: number }): void;
}

/** A user waits for the page, so rate limits and errors are shown at once instead of retried. */
const apiTimeoutMs = 15_000;

export function createDashboardRoutes(
  options: Addresses & {
    readonly internalApiBaseUrl: string;
    readonly callers: Callers;
    readonly cookie: SessionCookie;
    /** Path after the login of a user whose session ended before a form was submitted. */
    readonly home: string;
  },
): DashboardRoutes {
  const { appUrl, internalApiBaseUrl, callers, cookie, home } = options;
  const router = Router();

  const identify = async (request: Request, response: Response): Promise<SignedInCaller | null> => {
    const caller = await callers.identify(request);
    response.locals.caller = caller;
    if (!caller) return null;
    const [secret, sessionSha256] = [cookie.secret(request), cookie.read(request)];
    if (!caller.user || secret === null || sessionSha256 === null) {
      throw TrackingError.of("forbidden", "These pages are for signed-in users. Programs use the API.");
    }
    const api = createClient({ token: secret, baseUrl: internalApiBaseUrl, maxRetries: 0, timeoutMs: apiTimeoutMs });
    return { accountId: caller.accountId, user: caller.user, sessionSha256, api };
  };

  return {
    router,
    page(path, route) {
      router.get(path, async (request, response) => {
        const caller = await identify(request, response);
        if (caller) await route(request, response, caller);
        else refuseUnknown(request, response, options);
      });
    },
    form(path, route, { filesBytesMax } = {}) {
      router.post(path, ownForms(appUrl), async (request: Request, response: Response) => {
        const caller = await identify(request, response);
        // The submitted values are lost with the session.
        if (!caller) return refuseUnknown(request, response, options, home);
        // Only of those who are signed in: files take memory.
        if (filesBytesMax !== undefined) await readFormWithFiles(request, response, filesBytesMax);
        await route(request, response, caller, formValues(request));
      });
    },
  };
}
