import type { ClaimedMemberMail } from "@svc/persistence/member-mails";
import { escapeHtml } from "@svc/service-kit";
import { oneLine } from "../alerts/describe-alert.ts";
import { htmlDocument } from "./html-document.ts";
import type { Mail } from "./mailer.ts";

const paths = { shipment: "shipments", exception: "attention" } as const;

/** The mail to a member whom a note mentions. None of the texts of the note is markup. */
export function mentionMail(mail: ClaimedMemberMail, appUrl: string): Pick<Mail, "subject" | "text" | "html"> {
  const { authorEmail, companyName, subjectType, subjectId, subjectName, note } = mail;
  const author = authorEmail ?? "An API token";
  const what = subjectType === "shipment" ? `shipment ${subjectName}` : `an exception of ${subjectName}`;
  const subject = oneLine(`${author} mentioned you: ${what}`);
  const lead = `${author} mentioned you in the note of ${what} (${companyName}):`;
  const url = `${appUrl}/${paths[subjectType]}/${subjectId}`;
  const reason = `You receive this because you are a member of ${companyName} and the note mentions you.`;
  const settingsUrl = `${appUrl}/account/alerts`;
  return {
    subject,
    text: `${lead}\n\n${note}\n\n${url}\n\n-- \n${reason} Disable these mails: ${settingsUrl}\n`,
    html: htmlDocument(
      subject,
      `<p>${escapeHtml(lead)}</p>
<blockquote style="white-space:pre-wrap;margin:0 0 16px">${escapeHtml(note)}</blockquote>
<p><a href="${escapeHtml(url)}">Open ${escapeHtml(what)}</a></p>
<hr><p style="color:#475467;font-size:13px">${escapeHtml(reason)}
<a href="${escapeHtml(settingsUrl)}">Disable these mails</a></p>`,
    ),
  };
}
