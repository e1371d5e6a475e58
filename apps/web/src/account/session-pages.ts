import type { OpenSession } from "@svc/persistence/sessions";
import { actionsColumn, type Html, html, listTable } from "@svc/views";
import type { SignedInCaller } from "../access/api-clients.ts";
import { newPasswordFields } from "../access/new-password.ts";
import { field, formProblem, type Problems } from "../forms/field.ts";
import { relativeTimestamp } from "../pages/timestamps.ts";
import { accountLayout } from "./account-layout.ts";
import { browserLabel } from "./browser-label.ts";

function sessionRow(session: OpenSession, isThis: boolean): Html {
  const { tokenSha256, userAgent, createdAt, lastUsedAt, expiresAt } = session;
  const label = browserLabel(userAgent);
  return html`
    <tr>
      <th scope="row" data-label="Browser"><span title="${userAgent}">${label}</span>
        ${isThis && html`<span class="tag">current</span>`}</th>
      <td data-label="Signed in">${relativeTimestamp(createdAt)}</td>
      <td data-label="Last used">${relativeTimestamp(lastUsedAt)}</td>
      <td data-label="Expires">${relativeTimestamp(expiresAt)}</td>
      <td>
        <form class="row-actions" method="post" action="/account/sessions/${tokenSha256.toString("hex")}/end">
          <button class="quiet" aria-label="Sign out ${label}">Sign out</button>
        </form>
      </td>
    </tr>`;
}

export function sessionsPage(caller: SignedInCaller, sessions: readonly OpenSession[], notice?: string): Html {
  const rows = sessions.map((session) => sessionRow(session, session.tokenSha256.equals(caller.sessionSha256)));
  return accountLayout({
    title: "Sessions",
    caller,
    part: "sessions",
    notice,
    heading: "Where you are signed in",
    content: html`
      ${listTable({
        caption: "Your sessions, the latest first",
        columns: ["Browser", "Signed in", "Last used", "Expires", actionsColumn],
        rows,
      })}
      <p class="muted">Sessions also end after 12 hours without use.</p>
      <form method="post" action="/account/sessions/end-all">
        <p class="actions"><button class="danger">Sign out everywhere</button>
          <span class="muted">Including this session.</span></p>
      </form>`,
  });
}

export function passwordPage(caller: SignedInCaller, problems: Problems = {}, notice?: string): Html {
  return accountLayout({
    title: "Password",
    caller,
    part: "password",
    notice,
    heading: "Change your password",
    content: html`
      <form class="card form" method="post" action="/account/password">
        ${formProblem(problems)}
        <input type="hidden" name="username" value="${caller.user.email}" autocomplete="username">
        ${field({
          label: "Current password",
          name: "present",
          problems,
          type: "password",
          autocomplete: "current-password",
          maxLength: 1_000,
          isRequired: true,
        })}
        ${newPasswordFields(problems)}
        <p class="actions"><button>Change password</button> <span class="muted">Signs out other sessions.</span></p>
      </form>`,
  });
}
