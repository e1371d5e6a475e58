import { instant } from "@svc/domain";
import { notFound, TrackingError } from "@svc/jsonapi";
import {
  createInvitationRepository,
  createMemberRepository,
  type Database,
  type MemberRole,
  makeInvitation,
} from "@svc/persistence";
import type { Request, Response } from "express";
import { z } from "zod";
import type { DashboardRoutes, Person } from "../dashboard/dashboard-routes.ts";
import type { Problems } from "../forms/field.ts";
import { sendPage } from "../http/send-page.ts";
import { noticeOf } from "../pages/notice-of.ts";
import { invitedPage, peoplePage, removeMemberPage } from "./people-pages.ts";

const path = "/account/people";
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const emailAddress = z.email().max(254);

const notices: Readonly<Record<string, string>> = {
  removed: "They are no longer in the account.",
  withdrawn: "The invitation is withdrawn: its link opens nothing.",
};

function onlyOwners({ user }: Person): void {
  if (user.role !== "owner")
    throw TrackingError.of("forbidden", "Only owners of the account invite and remove members.");
}

export function addPeopleRoutes(
  routes: DashboardRoutes,
  { database, appUrl }: { readonly database: Database; readonly appUrl: string },
): void {
  const members = createMemberRepository(database.sql);
  const invitations = createInvitationRepository(database.sql);

  const show = async (
    response: Response,
    person: Person,
    options: { notice?: string | undefined; email?: string; role?: MemberRole; problems?: Problems } = {},
  ): Promise<void> => {
    const [everybody, open] = await Promise.all([
      members.list(person.accountId),
      invitations.listOpen(person.accountId, instant(Date.now())),
    ]);
    const status = options.problems ? 422 : 200;
    sendPage(response, status, peoplePage({ person, members: everybody, invitations: open, ...options }));
  };

  const findMember = async (request: Request, { accountId }: Person) => {
    const id = String(request.params.id);
    const member = uuid.test(id) ? await members.find(accountId, id) : null;
    if (!member) throw notFound("person", id);
    return member;
  };

  routes.page(path, (request, response, person) => show(response, person, { notice: noticeOf(request, notices) }));

  routes.form(`${path}/invite`, async (_request, response, person, values) => {
    onlyOwners(person);
    const email = values.text("email");
    const role = values.text("role") === "owner" ? "owner" : "member";
    const refuse = (problem: string) => show(response, person, { email, role, problems: { email: problem } });
    if (!emailAddress.safeParse(email).success) return refuse("Enter an email address.");
    const known = await members.list(person.accountId);
    if (known.some((member) => member.email.toLowerCase() === email.toLowerCase())) {
      return refuse("They are in the account already.");
    }
    const { invitation, path: link } = makeInvitation({ email, role }, Date.now());
    await invitations.create(person.accountId, invitation);
    sendPage(response, 201, invitedPage(person, { email, link: `${appUrl}${link}` }));
  });

  routes.form("/account/invitations/:id/withdraw", async (request, response, person) => {
    onlyOwners(person);
    const id = String(request.params.id);
    if (uuid.test(id)) await invitations.withdraw(person.accountId, id);
    response.redirect(303, `${path}?done=withdrawn`);
  });

  routes.page(`${path}/:id/remove`, async (request, response, person) => {
    onlyOwners(person);
    sendPage(response, 200, removeMemberPage(person, await findMember(request, person)));
  });

  routes.form(`${path}/:id/remove`, async (request, response, person) => {
    onlyOwners(person);
    const member = await findMember(request, person);
    if (await members.remove(person.accountId, member.userId)) {
      response.redirect(303, `${path}?done=removed`);
      return;
    }
    const problems = { "": "This is the last owner. Invite another owner first." };
    sendPage(response, 409, removeMemberPage(person, member, problems));
  });
}
