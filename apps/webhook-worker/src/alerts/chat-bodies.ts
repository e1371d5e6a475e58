import type { AlertText, DescribedEntry } from "./describe-alert.ts";

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
/** Slack's three control characters; without them a text can contain no link and no mention. */
const escapeText = (text: string): string => text.replaceAll(/[&<>]/g, (character) => entities[character] ?? character);

const sentences = ({ summary, cause }: DescribedEntry): string => (cause === null ? summary : `${summary}. ${cause}`);

/** The body for an incoming webhook of Slack. */
export function slackBody({ subject, lead, counts, sections, queueUrl }: AlertText): string {
  const lines = [`*${escapeText(subject)}*`, escapeText(lead), ...counts.map((count) => `• ${escapeText(count)}`)];
  for (const { title, entries, omitted } of sections) {
    lines.push("", `*${escapeText(title)}*`);
    for (const entry of entries) {
      const { number, context, severity, url } = entry;
      const mark = severity === "critical" ? ":red_circle: " : "";
      lines.push(`${mark}<${url}|${escapeText(number)}>: ${escapeText(sentences(entry))}`);
      if (context !== null) lines.push(escapeText(context));
    }
    if (omitted > 0) lines.push(`and ${omitted} more`);
  }
  lines.push("", `<${queueUrl}|All exceptions>`);
  return JSON.stringify({ text: lines.join("\n"), unfurl_links: false, unfurl_media: false });
}

interface TextRun {
  readonly type: "TextRun";
  readonly text: string;
  readonly weight?: "Bolder";
  readonly selectAction?: { readonly type: "Action.OpenUrl"; readonly url: string };
}

const block = (...inlines: readonly TextRun[]) => ({ type: "RichTextBlock", inlines });
const run = (text: string): TextRun => ({ type: "TextRun", text });
const bold = (text: string): TextRun => ({ ...run(text), weight: "Bolder" });
const link = (text: string, url: string): TextRun => ({ ...run(text), selectAction: { type: "Action.OpenUrl", url } });

/** The body for an incoming webhook of Teams: an adaptive card whose texts are not Markdown. */
export function teamsBody({ subject, lead, counts, sections, queueUrl }: AlertText): string {
  const body = [block(bold(subject)), block(run(lead)), ...counts.map((count) => block(run(count)))];
  for (const { title, entries, omitted } of sections) {
    body.push(block(bold(title)));
    for (const entry of entries) {
      const { number, context, severity, url } = entry;
      const mark = severity === "critical" ? [bold("Critical ")] : [];
      body.push(block(...mark, link(number, url), run(`: ${sentences(entry)}`)));
      if (context !== null) body.push(block(run(context)));
    }
    if (omitted > 0) body.push(block(run(`and ${omitted} more`)));
  }
  const content = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    body,
    actions: [{ type: "Action.OpenUrl", title: "All exceptions", url: queueUrl }],
  };
  const contentType = "application/vnd.microsoft.card.adaptive";
  return JSON.stringify({ type: "message", attachments: [{ contentType, contentUrl: null, content }] });
}
