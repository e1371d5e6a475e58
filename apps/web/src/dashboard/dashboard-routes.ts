import { type MemberAction, mayDo, refusalOf } from "@svc/domain/members";
import { TrackingError } from "@svc/jsonapi";
import { actingAs } from "@svc/persistence/audit";
import { type Request, type Response, Router } from "express";
import { type Addresses, asksForMarkdown } from "../access/agent-note.ts";
import { type ApiCaller, createApiClients } from "../access/api-clients.ts";
import type { Caller, Callers } from "../access/callers.ts";
import { refuseUnknown } from "../access/refuse-unknown.ts";
import type { SessionCookie } from "../access/session-cookie.ts";
import { signedOutPage } from "../access/signed-out-page.ts";
import { type FormValues, formValues } from "../forms/form-values.ts";
import { readFormWithFiles } from "../forms/form-with-files.ts";
import { askedPath, localPath } from "../http/local-path.ts";
import { ownForms } from "../http/own-forms.ts";
import { wantsJson } from "../http/read-request.ts";
import { sendPage } from "../http/send-page.ts";
import { leadsToSetUp } from "../two-factor/require-two-factor.ts";

/** A user who is signed in. */
export interface SignedInCaller extends ApiCaller {
  readonly user: NonNullable<Caller["user"]>;
  /** The session of the request: the SHA-256 of its cookie. */
  readonly sessionSha256: Buffer;
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
  /** Refuses members whose role may not do this. */
  page(path: string, action: MemberAction, route: PageRoute): void;
  /** A form that is posted from one of our pages; with `filesBytesMax` one with files, of so many bytes altogether. */
  form(path: string, action: MemberAction, route: FormRoute, options?: { readonly filesBytesMax?: number }): void;
}

function checkRole({ user }: SignedInCaller, action: MemberAction): void {
  if (!mayDo(user.role, action)) throw TrackingError.of("forbidden", refusalOf(user.role, action));
}

export function createDashboardRoutes(
  options: Addresses & {
    readonly internalApiBaseUrl: string;
    readonly callers: Callers;
    readonly cookie: SessionCookie;
    /** Path after the login of a user whose session had ended when a form was submitted. */
    readonly home: string;
  },
): DashboardRoutes {
  const { appUrl, internalApiBaseUrl, callers, cookie, home } = options;
  const router = Router();
  const apiOf = createApiClients({ internalApiBaseUrl, cookie });

  const identify = async (request: Request, response: Response): Promise<SignedInCaller | null> => {
    const caller = await callers.identify(request);
    response.locals.caller = caller;
    if (!caller) return null;
    const [api, sessionSha256] = [apiOf(request), cookie.read(request)];
    if (!caller.user || api === null || sessionSha256 === null) {
      throw TrackingError.of("forbidden", "These pages are for signed-in users. Programs use the API.");
    }
    return { ...caller, user: caller.user, sessionSha256, api };
  };

  const refuseForm = (request: Request, response: Response): void => {
    if (wantsJson(request) || asksForMarkdown(request)) refuseUnknown(request, response, options, home);
    else sendPage(response, 401, signedOutPage(localPath(askedPath(request), home), request.body, home));
  };

  return {
    router,
    page(path, action, route) {
      router.get(path, async (request, response) => {
        const caller = await identify(request, response);
        if (!caller) return refuseUnknown(request, response, options);
        if (leadsToSetUp(request, response, caller)) return;
        checkRole(caller, action);
        await route(request, response, caller);
      });
    },
    form(path, action, route, { filesBytesMax } = {}) {
      router.post(path, ownForms(appUrl), async (request: Request, response: Response) => {
        const caller = await identify(request, response);
        if (!caller) return refuseForm(request, response);
        if (leadsToSetUp(request, response, caller)) return;
        checkRole(caller, action);
        // Only of those who are signed in and may send them: files take memory.
        if (filesBytesMax !== undefined) await readFormWithFiles(request, response, filesBytesMax);
        const { userId } = caller.user;
        await actingAs({ type: "user", userId }, () => route(request, response, caller, formValues(request)));
      });
    },
  };
}
