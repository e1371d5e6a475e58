import type { PageRequest } from "@svc/domain/lists";
import type { ProvenanceReader, ProvenanceRecord } from "@svc/persistence/history";
import { sourceWords } from "@svc/views";
import { type Html, html } from "../http/html.ts";
import { localTime } from "./local-time.ts";
import { eventWords } from "./words.ts";

/** Provenance of the current values of a record, by attribute name of the domain. */
export type FieldSources = ReadonlyMap<string, ProvenanceRecord>;

export const noSources: FieldSources = new Map();

/** "E6 estimated.vessel_departed" as "E6, estimated vessel departed". */
function ruleWords(rule: string): string {
  const [, row, words] = /^(E\d+) (.+)$/.exec(rule) ?? [];
  return row && words ? `${row}, ${words.replace(/[._]/g, " ")}` : eventWords(rule);
}

/** Higher than the number of derived attributes of a record. */
const allAttributes: PageRequest<"valid_from"> = {
  size: 100,
  sortBy: "valid_from",
  descending: true,
  position: { kind: "number", number: 1 },
};

/** Reads the sources of the current values of a shipment or a container. */
export async function readSources(
  reader: ProvenanceReader,
  accountId: string,
  subjectId: string,
): Promise<FieldSources> {
  const { items } = await reader.list(accountId, subjectId, undefined, allAttributes);
  return new Map(items.map((record) => [record.field, record]));
}

const channelWords: Readonly<Record<NonNullable<ProvenanceRecord["channel"]>, string>> = {
  poll: "when polled",
  push: "by itself",
  import: "in an imported file",
  edi: "in an EDI file",
};

/** How and when the source reported the value; null when that is not stored. */
function receivedNote({ channel, receivedAt, statedAt }: ProvenanceRecord): Html | null {
  if (channel === null || receivedAt === null) return null;
  const stated = statedAt && html`, and dates it ${localTime(statedAt, "UTC")}`;
  return html`<br>Reported ${channelWords[channel]}, ${localTime(receivedAt, "UTC")}${stated}.`;
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
      <p>${sourceWords[source.dataSource]}, known since ${localTime(source.validFrom, "UTC")}.<br>
        Rule ${ruleWords(source.rule)}.${receivedNote(source)}</p>
    </details>`;
}

/** A value with its label and attribute; the attribute is null when no source reports it. */
export type Fact = readonly [term: string, value: Html | string, field: string | null];

export function factList(facts: readonly Fact[], sources: FieldSources): Html {
  const row = ([term, value, field]: Fact) =>
    html`<div><dt>${term} ${sourceNote(sources, field, term)}</dt><dd>${value}</dd></div>`;
  return html`<dl>${facts.map(row)}</dl>`;
}
