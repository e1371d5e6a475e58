import { type MemberRole, mayDo, memberRoles } from "@svc/domain/members";
import type { Invitation, Member } from "@svc/persistence/members";
import type { AccountToken } from "@svc/persistence/tokens";
import { actionsColumn, type Html, html, listTable } from "@svc/views";
import type { SignedInCaller } from "../access/api-clients.ts";
import { checkbox } from "../forms/choices.ts";
import { field, formProblem, type Problems } from "../forms/field.ts";
import { questionCard } from "../pages/question-card.ts";
import { secretOnce } from "../pages/secret-once.ts";
import { relativeTimestamp } from "../pages/timestamps.ts";
import { accountLayout } from "./account-layout.ts";
import { roleLabels } from "./role-labels.ts";

const path = "/account/members";

const roleDescriptions: Readonly<Record<MemberRole, string>> = {
  viewer: "reads everything, changes nothing",
  operator: "also tracks and edits, and manages exceptions, share links, own alerts and EDI files",
  developer: "also manages API tokens, webhooks, carrier connections and MCP applications",
  owner:
    "also manages members, sign-in rules and alerts to channels, mailboxes and other members, and reads the audit log",
};

function roleChoices(chosen: MemberRole): Html {
  return html`
    <fieldset>
      <legend>Role</legend>
      ${memberRoles.map((role) => {
        const checked = role === chosen && html` checked`;
        const text = `${roleLabels[role]}: ${roleDescriptions[role]}`;
        return html`<label class="choice"><input type="radio" name="role" value="${role}"${checked}> ${text}</label>`;
      })}
    </fieldset>`;
}

export interface MembersPageOptions {
  readonly caller: SignedInCaller;
  readonly members: readonly Member[];
  readonly invitations: readonly Invitation[];
  readonly notice: string | undefined;
}

/** An account keeps an owner, so the actions on the only one, which would be refused, are not offered. */
const onlyOwnerNote = html`<span class="muted below">The only owner: make another member owner to change this</span>`;

function memberRow(
  member: Member,
  { caller: { user }, isOnlyOwner }: { readonly caller: SignedInCaller; readonly isOnlyOwner: boolean },
): Html {
  const isSelf = member.userId === user.userId;
  const mayManage = mayDo(user.role, "manage_members");
  const actions = html`<span class="row-actions">
    <a href="${path}/${member.userId}/role" aria-label="Change role of ${member.email}">Change role</a>
    <a class="danger" href="${path}/${member.userId}/remove" aria-label="Remove ${member.email}">Remove</a></span>`;
  return html`
    <tr>
      <th scope="row" data-label="Email">${member.email}${isSelf && html` <span class="tag">you</span>`}</th>
      <td data-label="Role">${roleLabels[member.role]}${mayManage && isOnlyOwner && html` ${onlyOwnerNote}`}</td>
      <td data-label="Since">${relativeTimestamp(member.joinedAt)}</td>
      <td>${mayManage && !isOnlyOwner && actions}</td>
    </tr>`;
}

function invitationRow({ id, email, role, expiresAt }: Invitation, isOwner: boolean): Html {
  const withdraw = html`
    <form class="row-actions" method="post" action="/account/invitations/${id}/withdraw">
      <button class="quiet" aria-label="Withdraw the invitation of ${email}">Withdraw</button>
    </form>`;
  return html`
    <tr>
      <th scope="row" data-label="Email">${email}</th>
      <td data-label="Role">${roleLabels[role]}</td>
      <td data-label="Expires">${relativeTimestamp(expiresAt)}</td>
      <td>${isOwner && withdraw}</td>
    </tr>`;
}

/** `GET /account/members/invite`. */
export function invitePage(
  caller: SignedInCaller,
  options: { readonly email?: string; readonly role?: MemberRole; readonly problems?: Problems } = {},
): Html {
  const { email, role = "operator", problems = {} } = options;
  return accountLayout({
    title: "Invite member",
    caller,
    part: "members",
    isOfRecord: true,
    content: html`
      <form class="card form" method="post" action="${path}/invite">
        ${formProblem(problems)}
        ${field({
          label: "Email address",
          name: "email",
          value: email,
          problems,
          type: "email",
          maxLength: 254,
          isRequired: true,
        })}
        ${roleChoices(role)}
        <p class="actions"><button>Create invite link</button> <a href="${path}">Cancel</a></p>
      </form>`,
  });
}

export function membersPage(options: MembersPageOptions): Html {
  const { caller, members, invitations, notice } = options;
  const isOwner = mayDo(caller.user.role, "manage_members");
  const owners = members.filter(({ role: ownRole }) => ownRole === "owner");
  const isOnlyOwner = (member: Member): boolean => owners.length === 1 && owners[0] === member;
  return accountLayout({
    title: "Members",
    caller,
    part: "members",
    notice,
    heading: `Members of ${caller.user.companyName}`,
    aside: isOwner && html`<a class="button" href="${path}/invite">Invite member</a>`,
    content: html`
      ${listTable({
        className: "aligned",
        caption: "Members of this account",
        columns: ["Email", "Role", "Since", actionsColumn],
        rows: members.map((member) => memberRow(member, { caller, isOnlyOwner: isOnlyOwner(member) })),
      })}
      ${
        invitations.length > 0 &&
        html`
          <h2>Invited</h2>
          ${listTable({
            className: "aligned",
            caption: "Open invitations",
            columns: ["Email", "Role", "Expires", actionsColumn],
            rows: invitations.map((one) => invitationRow(one, isOwner)),
          })}`
      }
      ${
        !isOwner && html`<p class="muted">Owners of the account invite and remove members, and change their roles.</p>`
      }`,
  });
}

/** The response to the form. It is the only page that shows the link. */
export function invitedPage(
  caller: SignedInCaller,
  { email, link }: { readonly email: string; readonly link: string },
): Html {
  const note =
    "Valid for 7 days and for one use. The invited user chooses a password, or signs in with the one that they have.";
  return accountLayout({
    title: "Invite created",
    caller,
    part: "members",
    heading: `Invite for ${email}`,
    content: html`
      ${secretOnce({ label: "Invite link", value: link, note })}
      <p><a class="button" href="${path}">I have copied it</a></p>`,
  });
}

export function memberRolePage(caller: SignedInCaller, member: Member, problems: Problems = {}): Html {
  return accountLayout({
    title: "Change role",
    caller,
    part: "members",
    heading: `Role of ${member.email}`,
    content: html`
      <form class="card form" method="post" action="${path}/${member.userId}/role">
        ${formProblem(problems)}
        ${roleChoices(member.role)}
        <p class="muted">A lower role also limits the API tokens that this member created. A higher one raises none.</p>
        <div class="actions"><button>Save</button><a href="${path}">Cancel</a></div>
      </form>`,
  });
}

/** Each is revoked unless the owner keeps it for the account. */
function tokenChoices(tokens: readonly AccountToken[]): Html {
  if (tokens.length === 0) return html`<p>They created no API tokens that still work.</p>`;
  const tokenLabel = ({ name, hint, role, lastUsedAt }: AccountToken): Html =>
    html`${name} <code>…${hint}</code>, ${roleLabels[role]}, ${
      lastUsedAt === null ? "never used" : html`last used ${relativeTimestamp(lastUsedAt)}`
    }`;
  return html`
    <fieldset>
      <legend>API tokens that they created</legend>
      <p class="muted">The selected ones are revoked. The others keep working for the account, with their role.</p>
      ${tokens.map((token) => checkbox("revoke", tokenLabel(token), { value: token.id, isChecked: true }))}
    </fieldset>`;
}

export function removeMemberPage(
  caller: SignedInCaller,
  options: {
    readonly member: Member;
    readonly tokens: readonly AccountToken[];
    readonly problems?: Problems | undefined;
  },
): Html {
  const { member, tokens, problems = {} } = options;
  return accountLayout({
    title: `Remove ${member.email}`,
    caller,
    part: "members",
    heading: null,
    content: questionCard({
      heading: `Remove ${member.email}?`,
      content: html`
        ${formProblem(problems)}
        <p>They are signed out everywhere at once, and applications that they connected lose access.</p>`,
      action: `${path}/${member.userId}/remove`,
      fields: tokenChoices(tokens),
      button: "Remove",
      cancelPath: path,
    }),
  });
}
