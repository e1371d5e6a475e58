import { instant } from "@svc/domain";
import { isUuid } from "@svc/domain/identifiers";
import { isMemberRole, type MemberRole } from "@svc/domain/members";
import {
  createInvitation,
  createInvitationRepository,
  createMemberRepository,
  type Member,
  removeMember,
  setMemberRole,
} from "@svc/persistence/members";
import { createAccountTokenRepository } from "@svc/persistence/tokens";
import type { Request, Response } from "express";
import { z } from "zod";
import type { SignedInCaller } from "../access/api-clients.ts";
import type { Problems } from "../forms/field.ts";
import type { FormValues } from "../forms/form-values.ts";
import { findRecord } from "../http/find-record.ts";
import type { FormHandler, PageHandler } from "../http/handler.ts";
import { pathId } from "../http/read-request.ts";
import { sendPage } from "../http/send-page.ts";
import { noticeOf } from "../pages/notice-of.ts";
import type { Services } from "../services.ts";
import { invitedPage, invitePage, memberRolePage, membersPage, removeMemberPage } from "./member-pages.ts";

const path = "/account/members";
const emailAddress = z.email().max(254);

const notices: Readonly<Record<string, string>> = {
  removed: "The member was removed.",
  role: "The role is changed.",
  withdrawn: "The invitation is withdrawn. Its link no longer works.",
};

/** A role that the form does not offer is read as the least one. */
function readRole(values: FormValues): MemberRole {
  const role = values.text("role");
  return isMemberRole(role) ? role : "viewer";
}

function createStores({ database, appUrl }: Pick<Services, "database" | "appUrl">) {
  return {
    database,
    appUrl,
    members: createMemberRepository(database.sql),
    invitations: createInvitationRepository(database.sql),
    tokens: createAccountTokenRepository(database.sql),
  };
}

type MemberStores = ReturnType<typeof createStores>;

const findMember = ({ members }: MemberStores, request: Request, { accountId }: SignedInCaller) =>
  findRecord("member", request.params.id, (id) => members.find(accountId, id));

async function showRemoval(
  { tokens }: MemberStores,
  response: Response,
  caller: SignedInCaller,
  member: Member,
  problems?: Problems,
): Promise<void> {
  const created = await tokens.listOfCreator(caller.accountId, member.userId);
  sendPage(response, problems ? 409 : 200, removeMemberPage(caller, { member, tokens: created, problems }));
}

const list =
  ({ members, invitations }: MemberStores): PageHandler =>
  async (request, response, caller) => {
    const [everybody, open] = await Promise.all([
      members.list(caller.accountId),
      invitations.listOpen(caller.accountId, instant(Date.now())),
    ]);
    const notice = noticeOf(request, notices);
    sendPage(response, 200, membersPage({ caller, members: everybody, invitations: open, notice }));
  };

const showInvite: PageHandler = async (_request, response, caller) => sendPage(response, 200, invitePage(caller));

const invite =
  (stores: MemberStores): FormHandler =>
  async (_request, response, caller, values) => {
    const email = values.text("email");
    const role = readRole(values);
    const refuse = (problem: string) =>
      sendPage(response, 422, invitePage(caller, { email, role, problems: { email: problem } }));
    if (!emailAddress.safeParse(email).success) return refuse("Enter an email address.");
    const known = await stores.members.list(caller.accountId);
    if (known.some((member) => member.email.toLowerCase() === email.toLowerCase())) {
      return refuse("This user is a member already.");
    }
    const { invitation, path: link } = createInvitation({ email, role }, Date.now());
    await stores.invitations.create(caller.accountId, invitation);
    sendPage(response, 201, invitedPage(caller, { email, link: `${stores.appUrl}${link}` }));
  };

const withdraw =
  (stores: MemberStores): FormHandler =>
  async (request, response, caller) => {
    const id = pathId(request);
    if (isUuid(id)) await stores.invitations.withdraw(caller.accountId, id);
    response.redirect(303, `${path}?done=withdrawn`);
  };

const showRole =
  (stores: MemberStores): PageHandler =>
  async (request, response, caller) => {
    sendPage(response, 200, memberRolePage(caller, await findMember(stores, request, caller)));
  };

const changeRole =
  (stores: MemberStores): FormHandler =>
  async (request, response, caller, values) => {
    const member = await findMember(stores, request, caller);
    const { accountId } = caller;
    if (await setMemberRole(stores.database, { accountId, userId: member.userId, role: readRole(values) })) {
      response.redirect(303, `${path}?done=role`);
      return;
    }
    const problems = { "": "This is the last owner. Make another member owner first." };
    sendPage(response, 409, memberRolePage(caller, member, problems));
  };

const showRemove =
  (stores: MemberStores): PageHandler =>
  async (request, response, caller) => {
    await showRemoval(stores, response, caller, await findMember(stores, request, caller));
  };

const remove =
  (stores: MemberStores): FormHandler =>
  async (request, response, caller, values) => {
    const member = await findMember(stores, request, caller);
    const revoked = values.all("revoke").filter(isUuid);
    const membership = { accountId: caller.accountId, userId: member.userId };
    if (await removeMember(stores.database, membership, revoked)) {
      response.redirect(303, `${path}?done=removed`);
      return;
    }
    const problems = { "": "This is the last owner. Invite another owner first." };
    await showRemoval(stores, response, caller, member, problems);
  };

export function memberHandlers(services: Pick<Services, "database" | "appUrl">) {
  const stores = createStores(services);
  return {
    list: list(stores),
    showInvite,
    invite: invite(stores),
    withdraw: withdraw(stores),
    showRole: showRole(stores),
    changeRole: changeRole(stores),
    showRemove: showRemove(stores),
    remove: remove(stores),
  };
}
