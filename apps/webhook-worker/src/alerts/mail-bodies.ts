import { escapeHtml } from "@svc/service-kit";
import { htmlDocument } from "../mail/html-document.ts";
import type { AlertText, DescribedEntry } from "./describe-alert.ts";

interface Footer {
  readonly name: string;
  readonly companyName: string;
  readonly unsubscribeUrl: string;
}

const reasonLine = ({ name, companyName }: Footer): string =>
  `You receive this because of the alert "${name}" of ${companyName}.`;

/** The lines of one exception in the plain text part. */
export const plainEntry = ({ number, summary, cause, context, severity, url }: DescribedEntry): string[] => [
  `${severity === "critical" ? "[critical] " : ""}${number}: ${summary}`,
  ...[cause, context].filter((line) => line !== null),
  url,
];

export const htmlEntry = ({ number, summary, cause, context, severity, url }: DescribedEntry): string => {
  const mark = severity === "critical" ? '<strong style="color:#b42318">Critical</strong> ' : "";
  const more = [cause, context].filter((line) => line !== null);
  const lines = more.map((line) => `<br><span style="color:#475467">${escapeHtml(line)}</span>`);
  return `<li style="margin:0 0 12px">${mark}<a href="${escapeHtml(url)}">${escapeHtml(number)}</a>: ${escapeHtml(summary)}${lines.join("")}</li>`;
};

/** The plain text part. */
export function plainBody({ lead, counts, sections, queueUrl }: AlertText, footer: Footer): string {
  const lines = [lead, ...(counts.length > 0 ? ["", ...counts] : [])];
  for (const { title, entries, omitted } of sections) {
    lines.push("", `${title}:`);
    for (const entry of entries) lines.push("", ...plainEntry(entry));
    if (omitted > 0) lines.push("", `and ${omitted} more`);
  }
  lines.push(
    "",
    `All exceptions: ${queueUrl}`,
    "",
    "-- ",
    reasonLine(footer),
    `Unsubscribe: ${footer.unsubscribeUrl}`,
    "",
  );
  return lines.join("\n");
}

/** The HTML part, with every text escaped and nothing loaded from elsewhere. */
export function htmlBody({ subject, lead, counts, sections, queueUrl }: AlertText, footer: Footer): string {
  const parts = sections.map(({ title, entries, omitted }) => {
    const items = entries.map(htmlEntry);
    const rest = omitted > 0 ? `<p>and ${omitted} more</p>` : "";
    return `<h2 style="font-size:16px">${escapeHtml(title)}</h2><ul style="padding-left:20px">${items.join("")}</ul>${rest}`;
  });
  const sums = counts.length > 0 ? `<p>${counts.map(escapeHtml).join("<br>")}</p>` : "";
  return htmlDocument(
    subject,
    `<p>${escapeHtml(lead)}</p>${sums}${parts.join("")}
<p><a href="${escapeHtml(queueUrl)}">All exceptions</a></p>
<hr><p style="color:#475467;font-size:13px">${escapeHtml(reasonLine(footer))}
<a href="${escapeHtml(footer.unsubscribeUrl)}">Unsubscribe</a></p>`,
  );
}
