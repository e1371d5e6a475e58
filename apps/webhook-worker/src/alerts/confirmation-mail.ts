import { escapeHtml } from "@svc/service-kit";
import { htmlDocument } from "../mail/html-document.ts";
import { oneLine } from "./describe-alert.ts";

/** Asks the readers of a mailbox whether an alert may be sent to it. The names are as members typed them. */
export function confirmationMail(options: {
  readonly name: string;
  readonly companyName: string;
  readonly confirmUrl: string;
}): { readonly subject: string; readonly text: string; readonly html: string } {
  const { name, companyName, confirmUrl } = options;
  const subject = oneLine(`Confirm the alert: ${name}`);
  const request = `${companyName} asks to send the alert "${name}" about its ocean shipments to this address.`;
  const otherwise = "Nothing is sent before the address is confirmed. If you do not want it, ignore this mail.";
  return {
    subject,
    text: [request, "", `Confirm it: ${confirmUrl}`, "", otherwise, ""].join("\n"),
    html: htmlDocument(
      subject,
      `<p>${escapeHtml(request)}</p>
<p><a href="${escapeHtml(confirmUrl)}">Confirm this address</a></p>
<p style="color:#475467;font-size:13px">${escapeHtml(otherwise)}</p>`,
    ),
  };
}
