import type { AlertEntry } from "@svc/domain/alerts";
import type { ClaimedMemberMail } from "@svc/persistence/member-mails";
import { escapeHtml } from "@svc/service-kit";
import { describeEntry, oneLine } from "../alerts/describe-alert.ts";
import { htmlEntry, plainEntry } from "../alerts/mail-bodies.ts";
import { htmlDocument } from "./html-document.ts";
import type { Mail } from "./mailer.ts";

/** The mail to a member to whom exceptions were assigned, which are at least one. */
export function assignmentMail(
  { authorEmail, companyName, exceptionIds }: ClaimedMemberMail,
  entries: readonly AlertEntry[],
  appUrl: string,
): Pick<Mail, "subject" | "text" | "html"> {
  const author = authorEmail ?? "An API token";
  const [first, ...others] = entries.map((one) => describeEntry(one, appUrl));
  const count = others.length === 0 ? "an exception" : `${entries.length} exceptions`;
  const subject = oneLine(
    first !== undefined && others.length === 0
      ? `${author} assigned to you: ${first.number}: ${first.summary}`
      : `${author} assigned ${count} to you`,
  );
  const omitted =
    (exceptionIds?.length ?? 0) > entries.length ? " Others are no longer open or have another owner." : "";
  const lead = `${author} assigned ${count} of ${companyName} to you.${omitted}`;
  const listed = first === undefined ? [] : [first, ...others];
  const url = `${appUrl}/attention?owner=me`;
  const settingsUrl = `${appUrl}/account/alerts`;
  const reason = `You receive this because you are a member of ${companyName}.`;
  return {
    subject,
    text: [
      lead,
      ...listed.flatMap((one) => ["", ...plainEntry(one)]),
      "",
      `Your exceptions: ${url}`,
      "",
      "-- ",
      `${reason} Disable these mails: ${settingsUrl}\n`,
    ].join("\n"),
    html: htmlDocument(
      subject,
      `<p>${escapeHtml(lead)}</p><ul style="padding-left:20px">${listed.map(htmlEntry).join("")}</ul>
<p><a href="${escapeHtml(url)}">Your exceptions</a></p>
<hr><p style="color:#475467;font-size:13px">${escapeHtml(reason)}
<a href="${escapeHtml(settingsUrl)}">Disable these mails</a></p>`,
    ),
  };
}
