import { type MemberAction, mayDo, refusalMessage } from "@svc/domain/members";
import { TrackingError } from "@svc/jsonapi";
import { actingAs } from "@svc/persistence/audit-events";
import type { Request, RequestHandler, Response } from "express";
import { formValues } from "../forms/form-values.ts";
import { readFormWithFiles } from "../forms/form-with-files.ts";
import type { AccountHandler, FormHandler, PageHandler } from "../http/handler.ts";
import { localPath, requestedPath } from "../http/local-path.ts";
import { ownForms } from "../http/own-forms.ts";
import { wantsJson } from "../http/read-request.ts";
import { sendPage } from "../http/send-page.ts";
import { leadsToSetUp } from "../two-factor/require-two-factor.ts";
import { type Addresses, acceptsMarkdown } from "./agent-note.ts";
import { createApiClients, type SignedInCaller } from "./api-clients.ts";
import type { Callers } from "./callers.ts";
import { pathWithoutForm } from "./path-without-form.ts";
import { refuseUnknown } from "./refuse-unknown.ts";
import type { SecretCookie } from "./secret-cookie.ts";
import { signedOutPage } from "./signed-out-page.ts";

interface GuardOptions {
  /** Whether members may use it who still have to set up two-factor authentication. */
  readonly isOpenBeforeSetUp?: boolean | undefined;
}

/** Runs handlers for callers that may use them, and refuses others. */
export interface Guards {
  account(handler: AccountHandler): RequestHandler;
  page(action: MemberAction, handler: PageHandler, options: GuardOptions): RequestHandler;
  /** A form of one of our pages; with `filesBytesMax` one with files, of so many bytes altogether. */
  form(
    action: MemberAction,
    handler: FormHandler,
    options: GuardOptions & { readonly filesBytesMax?: number | undefined },
  ): readonly RequestHandler[];
}

function checkRole({ user }: SignedInCaller, action: MemberAction): void {
  if (!mayDo(user.role, action)) throw TrackingError.of("forbidden", refusalMessage(user.role, action));
}

function refuseForm(request: Request, response: Response, addresses: Addresses): void {
  const home = pathWithoutForm(request.path);
  if (wantsJson(request) || acceptsMarkdown(request)) refuseUnknown(request, response, addresses, home);
  else sendPage(response, 401, signedOutPage(localPath(requestedPath(request), home), request.body, home));
}

export function createGuards(
  options: Addresses & {
    readonly internalApiBaseUrl: string;
    readonly callers: Callers;
    readonly cookie: SecretCookie;
  },
): Guards {
  const { appUrl, callers, cookie } = options;
  const resolveApiClient = createApiClients(options);

  const identify = async (request: Request, response: Response) => {
    const caller = await callers.identify(request);
    // An error page needs the caller for its navigation.
    response.locals.caller = caller;
    return caller;
  };

  const identifyUser = async (request: Request, response: Response): Promise<SignedInCaller | null> => {
    const caller = await identify(request, response);
    if (!caller) return null;
    const [api, sessionSha256] = [resolveApiClient(request), cookie.read(request)];
    if (!caller.user || api === null || sessionSha256 === null) {
      throw TrackingError.of("forbidden", "These pages are for signed-in users. Programs use the API.");
    }
    return { ...caller, user: caller.user, sessionSha256, api };
  };

  return {
    account: (handler) => async (request, response) => {
      const caller = await identify(request, response);
      const api = resolveApiClient(request);
      if (caller && leadsToSetUp(request, response, caller)) return;
      if (caller && api) await handler(request, response, { ...caller, api });
      else refuseUnknown(request, response, options);
    },

    page:
      (action, handler, { isOpenBeforeSetUp = false }) =>
      async (request, response) => {
        const caller = await identifyUser(request, response);
        if (!caller) return refuseUnknown(request, response, options);
        if (!isOpenBeforeSetUp && leadsToSetUp(request, response, caller)) return;
        checkRole(caller, action);
        await handler(request, response, caller);
      },

    form: (action, handler, { isOpenBeforeSetUp = false, filesBytesMax }) => [
      ...ownForms(appUrl),
      async (request, response) => {
        const caller = await identifyUser(request, response);
        if (!caller) return refuseForm(request, response, options);
        if (!isOpenBeforeSetUp && leadsToSetUp(request, response, caller)) return;
        checkRole(caller, action);
        // Only of those who are signed in and may send them: files take memory.
        if (filesBytesMax !== undefined) await readFormWithFiles(request, response, filesBytesMax);
        const { userId } = caller.user;
        await actingAs({ type: "user", userId }, () => handler(request, response, caller, formValues(request)));
      },
    ],
  };
}
