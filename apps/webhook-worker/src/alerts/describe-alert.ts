import { countText } from "@svc/domain";
import type { AlertContent, AlertEntry } from "@svc/domain/alerts";
import type { ExceptionKind, ExceptionResolution } from "@svc/domain/exceptions";

/** One exception, with the address of its page. */
export interface DescribedEntry extends Pick<AlertEntry, "number" | "summary" | "cause" | "severity"> {
  readonly context: string | null;
  readonly url: string;
}

/** A message in plain words, which each channel puts into its own form. None of its texts is markup. */
export interface AlertText {
  readonly subject: string;
  /** Sentence on the subject of the message. */
  readonly lead: string;
  /** "3 × last free day over", when there are several exceptions. */
  readonly counts: readonly string[];
  readonly sections: readonly {
    readonly title: string;
    readonly entries: readonly DescribedEntry[];
    /** How many are not listed. */
    readonly omitted: number;
  }[];
  /** URL of the list of all exceptions. */
  readonly queueUrl: string;
}

const exceptions = (count: number): string => countText(count, "exception");
const kindLabel = (kind: ExceptionKind): string => kind.replaceAll("_", " ");

/** A message about exceptions, or a test of one. */
interface DescribedContent extends AlertContent {
  readonly reason: Exclude<AlertContent["reason"], "confirmation">;
}

/** Control characters would end the line of a header. */
export const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ").slice(0, 200);

function subjectOf({ reason, open, openCount, resolvedCount, newCount }: DescribedContent, name: string): string {
  const [only] = open;
  const newCountText = newCount === null ? "" : `, ${newCount} new`;
  switch (reason) {
    case "test":
      return `Test alert: ${name}`;
    case "daily":
    case "weekly":
      return `${reason === "daily" ? "Daily" : "Weekly"} digest: ${exceptions(openCount)} open${newCountText} (${name})`;
    case "at_once":
      if (openCount === 1 && only && resolvedCount === 0) return `${only.number}: ${only.summary}`;
      if (openCount === 0) return `${exceptions(resolvedCount)} resolved (${name})`;
      return `${exceptions(openCount)} opened${resolvedCount > 0 ? `, ${resolvedCount} resolved` : ""} (${name})`;
  }
}

function leadOf({ reason, openCount, resolvedCount, newCount }: DescribedContent, companyName: string): string {
  if (reason === "test") return `This is a test. Alerts of ${companyName} are sent in this way.`;
  if (reason === "at_once") {
    const opened = openCount > 0 ? `${exceptions(openCount)} of ${companyName} opened` : "";
    const resolved = resolvedCount > 0 ? `${exceptions(resolvedCount)} of ${companyName} resolved` : "";
    return `${[opened, resolved].filter(Boolean).join(", ")}.`;
  }
  const newCountText = newCount === null ? "" : `, ${newCount} of them new since the last digest`;
  return `${companyName} has ${exceptions(openCount)} open${newCountText}.`;
}

/** How a resolution is named behind the summary. A newer build may have composed the message with another one. */
const resolutionNotes: Partial<Record<ExceptionResolution, string>> = {
  cleared: "the condition ended",
  tracking_stopped: "tracking stopped",
  by_member: "resolved by a member",
};

/** "(was: last free day soon)" or "(tracking stopped)", with a space before it; empty: there is nothing to note. */
function noteOf({ previousKind = null, resolution = null }: AlertEntry): string {
  const note = previousKind === null ? resolution && resolutionNotes[resolution] : `was: ${kindLabel(previousKind)}`;
  return note ? ` (${note})` : "";
}

export const describeEntry = (entry: AlertEntry, appUrl: string): DescribedEntry => ({
  number: entry.number,
  cause: entry.cause,
  context: entry.context ?? null,
  severity: entry.severity,
  summary: `${entry.summary}${noteOf(entry)}`,
  url: `${appUrl}/attention/${entry.id}`,
});

/**
 * @param maximum entries of each section.
 * @param appUrl of the web application, without a slash at its end.
 */
export function describeAlert(
  content: DescribedContent,
  { name, companyName, appUrl, maximum }: { name: string; companyName: string; appUrl: string; maximum: number },
): AlertText {
  const section = (title: string, entries: readonly AlertEntry[], count: number) => {
    const listed = entries.slice(0, maximum).map((one) => describeEntry(one, appUrl));
    return { title, entries: listed, omitted: count - listed.length };
  };
  const { open, openCount, resolved, resolvedCount, countByKind } = content;
  const opened = content.reason === "at_once" ? "Opened" : "Open, the most urgent first";
  return {
    subject: oneLine(subjectOf(content, name)),
    lead: leadOf(content, companyName),
    counts: openCount > 1 ? countByKind.map(({ kind, count }) => `${count} × ${kindLabel(kind)}`) : [],
    sections: [
      ...(openCount > 0 ? [section(opened, open, openCount)] : []),
      ...(resolvedCount > 0 ? [section("Resolved", resolved, resolvedCount)] : []),
    ],
    queueUrl: `${appUrl}/attention`,
  };
}
