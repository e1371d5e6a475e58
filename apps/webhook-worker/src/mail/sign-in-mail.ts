import { passwordResetMinutes } from "@svc/persistence/access";
import { escapeHtml } from "@svc/service-kit";
import { htmlDocument } from "./html-document.ts";
import type { Mail } from "./mailer.ts";

type Content = Pick<Mail, "subject" | "text" | "html">;

/** A mail of a few sentences; an address that stands alone becomes a link. */
function createMail(subject: string, sentences: readonly string[]): Content {
  const paragraph = (sentence: string): string =>
    /^https?:\S+$/.test(sentence)
      ? `<p><a href="${escapeHtml(sentence)}">${escapeHtml(sentence)}</a></p>`
      : `<p>${escapeHtml(sentence)}</p>`;
  return {
    subject,
    text: `${sentences.join("\n\n")}\n`,
    html: htmlDocument(subject, sentences.map(paragraph).join("")),
  };
}

export const passwordResetMail = (email: string, link: string): Content =>
  createMail("Choose a new password", [
    `A new password of ${email} was asked for, probably by you. Choose it here:`,
    link,
    `The link works once, within ${passwordResetMinutes} minutes. A newer link ends it.`,
    "If you did not ask for it, ignore this email: your password stays as it is.",
  ]);

export const passwordChangedMail = (email: string, appUrl: string): Content =>
  createMail("Your password was changed", [
    `The password of ${email} was changed, and other sessions were ended.`,
    "If it was not you, notify an owner of your account, and choose another one at once:",
    `${appUrl}/login/forgotten`,
  ]);
