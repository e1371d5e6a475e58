import { eventLabel, type Html, html, localTime, sourceLabels } from "@svc/views";
import type { FieldSource, FieldSources } from "./api-records.ts";

export const noSources: FieldSources = new Map();

/** "E6 estimated.vessel_departed" as "Estimated vessel departed": the number is that of the developers' documents. */
function ruleText(rule: string): string {
  const text = rule.replace(/^E\d+ /, "");
  return text.includes(".") ? eventLabel(text.replaceAll(".", "_")) : eventLabel(text);
}

const channelLabels: Readonly<Record<NonNullable<FieldSource["channel"]>, string>> = {
  poll: "when polled",
  push: "by itself",
  import: "in an imported file",
  edi: "in an EDI file",
};

/** How and when the source reported the value; null when that is not stored. */
function receivedNote({ channel, receivedAt, statedAt }: FieldSource): Html | null {
  if (channel === null || receivedAt === null) return null;
  const stated = statedAt && html`, and dates it ${localTime(statedAt, "UTC")}`;
  return html`<br>Reported ${channelLabels[channel]}, ${localTime(receivedAt, "UTC")}${stated}.`;
}

/** The provenance of a value; null for a value that no source reported. */
function sourceNote(sources: FieldSources, field: string | null, term: string): Html | null {
  const source = field === null ? undefined : sources.get(field);
  if (!source) return null;
  // Two facts may show one attribute. The script restores open notes by id, so the id is unique per fact.
  const name = term.toLowerCase().replaceAll(" ", "-");
  return html`
    <details class="source" id="source-${name}-${source.id.slice(-6)}">
      <summary><span class="hidden">Where “${term}” comes from</span></summary>
      <p>${sourceLabels[source.dataSource]}, known since ${localTime(source.validFrom, "UTC")}.<br>
        Rule: ${ruleText(source.rule)}.${receivedNote(source)}</p>
    </details>`;
}

/** A value with its label and attribute; the attribute is null when no source reports it. */
export interface LabelledValue {
  readonly term: string;
  readonly value: Html | string;
  readonly field: string | null;
}

const noValue = html`<span class="muted">–</span>`;

/** Values begin with a capital letter; "–" is one that no source reported. */
export function factList(facts: readonly LabelledValue[], sources: FieldSources): Html {
  const row = ({ term, value, field }: LabelledValue) => {
    const note = sourceNote(sources, field, term);
    // The mark stays beside the last word.
    const start = term.lastIndexOf(" ") + 1;
    const label = note ? html`${term.slice(0, start)}<div class="together">${term.slice(start)} ${note}</div>` : term;
    return html`<div><dt>${label}</dt><dd>${value === "–" ? noValue : value}</dd></div>`;
  };
  return html`<dl>${facts.map(row)}</dl>`;
}
