import { type Html, html } from "../http/html.ts";

interface IncludedRecord {
  readonly id: string;
  readonly type: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** Of each type of record with a page of its own, or a name: by what people know it, and where it is shown. */
const subjects: Readonly<
  Record<string, { readonly words: string; readonly name: string; readonly path?: (id: string) => string }>
> = {
  container: { words: "Container", name: "number", path: (id) => `/containers/${id}` },
  shipment: { words: "Shipment", name: "bill_of_lading_number", path: (id) => `/shipments/${id}` },
  tracking_request: { words: "Tracking request", name: "request_number", path: () => "/tracking-requests" },
  webhook_notice: { words: "Webhook", name: "url" },
};

const isRecord = (value: unknown): value is IncludedRecord => {
  const { id, type, attributes } = Object(value);
  return typeof id === "string" && typeof type === "string" && typeof attributes === "object" && attributes !== null;
};

/** What is told with an event, of its `included` as JSON; nothing of what cannot be read. */
function recordsOf(included: string): readonly IncludedRecord[] {
  try {
    const parsed: unknown = JSON.parse(included);
    return Array.isArray(parsed) ? parsed.filter(isRecord) : [];
  } catch {
    return [];
  }
}

/** What a notification is about, by the numbers that people know, each with the way to its page; null: nothing with a name. */
export function subjectLinks(included: string): Html | null {
  const links = Object.entries(subjects).flatMap(([type, { words, name, path }]) =>
    recordsOf(included)
      .filter((record) => record.type === type && typeof record.attributes[name] === "string")
      .map(({ id, attributes }) => {
        const number = html`<span class="number">${String(attributes[name])}</span>`;
        return html`<span class="subject">${words} ${path ? html`<a href="${path(encodeURIComponent(id))}">${number}</a>` : number}</span>`;
      }),
  );
  return links.length === 0 ? null : html`${links.map((link, index) => html`${index > 0 && ", "}${link}`)}`;
}
