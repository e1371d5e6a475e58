import { instant } from "@svc/domain";
import { uuidV7 } from "@svc/persistence";
import { actingAs } from "@svc/persistence/audit-events";
import { createInvitationRepository, type OpenInvitation } from "@svc/persistence/members";
import { hashPassword } from "@svc/persistence/sessions";
import type { Request, Response } from "express";
import { hasProblems } from "../forms/field.ts";
import { formValues } from "../forms/form-values.ts";
import { ownForms } from "../http/own-forms.ts";
import { sendPage } from "../http/send-page.ts";
import { messagePage } from "../pages/message-page.ts";
import type { Services } from "../services.ts";
import type { Caller } from "./callers.ts";
import { joinAsPage, joinByProviderPage, joinPage, signInToJoinPage } from "./join-page.ts";
import { readNewPassword } from "./new-password.ts";
import { readSecretHash } from "./read-secret-hash.ts";
import { switchSession } from "./switch-session.ts";

/** Whether the session was opened in a way that the account of the invitation accepts. */
const matchesInvitation = ({ requiresSingleSignOn }: OpenInvitation, { user }: Caller): boolean =>
  !requiresSingleSignOn || user?.method === "single_sign_on" || user?.method === "trusted_single_sign_on";

/**
 * `/join/{secret}`: accepts an invitation. The secret is in no log, because requests and failures are logged by route
 * pattern.
 */
export function joinHandlers(
  services: Pick<Services, "database" | "appUrl" | "callers" | "startSession" | "providers" | "sessions" | "cookie">,
) {
  const { database, appUrl, callers, startSession, providers } = services;
  const invitations = createInvitationRepository(database.sql);

  const findInvitation = async (request: Request) => {
    const hash = readSecretHash(request);
    return hash && (await invitations.findOpen(hash, instant(Date.now())));
  };
  const refuse = (response: Response): void => {
    const text = "This link was used or withdrawn, or is older than 7 days. Ask for another.";
    sendPage(response, 404, messagePage({ title: "This invitation is no longer valid", text }));
  };

  const show = async (request: Request, response: Response): Promise<void> => {
    const invitation = await findInvitation(request);
    if (!invitation) return refuse(response);
    const { path } = request;
    if (invitation.userId === null) return sendPage(response, 200, joinPage(invitation, { path, providers }));
    const caller = await callers.identify(request);
    const mayJoin = caller?.user?.userId === invitation.userId && matchesInvitation(invitation, caller);
    const page = mayJoin ? joinAsPage(invitation, caller, path) : signInToJoinPage(invitation, { path, providers });
    sendPage(response, 200, page);
  };

  /** The user with the invited address accepts, signed in: the session continues in the account. */
  const joinAs = async (
    request: Request,
    response: Response,
    hash: Buffer,
    invitation: OpenInvitation & { readonly userId: string },
  ): Promise<void> => {
    const caller = await callers.identify(request);
    const { userId: invited } = invitation;
    if (caller?.user?.userId !== invited || !matchesInvitation(invitation, caller))
      return response.redirect(303, request.path);
    const now = instant(Date.now());
    const joined = await actingAs({ type: "user", userId: invited }, () => invitations.acceptAs(hash, invited, now));
    if (!joined) return refuse(response);
    const from = services.cookie.read(request);
    if (from !== null) await switchSession(services, response, { ...joined, from });
    response.redirect(303, "/shipments");
  };

  const join = async (request: Request, response: Response): Promise<void> => {
    const invitation = await findInvitation(request);
    const hash = readSecretHash(request);
    if (!invitation || !hash) return refuse(response);
    const { userId: invited } = invitation;
    if (invited !== null) return joinAs(request, response, hash, { ...invitation, userId: invited });
    const { path } = request;
    if (invitation.requiresSingleSignOn) {
      return sendPage(response, 403, joinByProviderPage(invitation, { path, providers }));
    }
    const { password, problems } = readNewPassword(formValues(request), invitation.email);
    if (hasProblems(problems)) {
      return sendPage(response, 422, joinPage(invitation, { path, providers, problems }));
    }
    const passwordHash = await hashPassword(password);
    const now = instant(Date.now());
    const userId = uuidV7.next();
    const joined = await actingAs({ type: "user", userId }, () =>
      invitations.accept(hash, { userId, passwordHash, now }),
    );
    // Used just now, or by a user who was created meanwhile: the page says which.
    if (!joined) return response.redirect(303, request.path);
    await startSession(request, response, { ...joined, method: "password" });
    response.redirect(303, "/shipments");
  };

  return { show, join: [...ownForms(appUrl), join] };
}
