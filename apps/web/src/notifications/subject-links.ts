import { type Html, html } from "@svc/views";

interface IncludedRecord {
  readonly id: string;
  readonly type: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** Types of records: label, attribute with the name, and page if there is one. */
const subjects: Readonly<
  Record<string, { readonly label: string; readonly name: string; readonly path?: (id: string) => string }>
> = {
  container: { label: "Container", name: "number", path: (id) => `/containers/${id}` },
  shipment: { label: "Shipment", name: "bill_of_lading_number", path: (id) => `/shipments/${id}` },
  tracking_request: { label: "Tracking request", name: "request_number", path: () => "/tracking-requests" },
  exception: { label: "Exception", name: "summary", path: (id) => `/attention/${id}` },
  webhook_notice: { label: "Webhook", name: "url" },
};

const isRecord = (value: unknown): value is IncludedRecord => {
  const { id, type, attributes } = Object(value);
  return typeof id === "string" && typeof type === "string" && typeof attributes === "object" && attributes !== null;
};

/** The records in the body of a notification; empty when it cannot be parsed. */
function parseRecords(body: string): readonly IncludedRecord[] {
  try {
    const { included } = Object(JSON.parse(body));
    return Array.isArray(included) ? included.filter(isRecord) : [];
  } catch {
    return [];
  }
}

/** Links to the records of a notification, by their numbers; null when none has one. */
export function subjectLinks(body: string): Html | null {
  const records = parseRecords(body);
  const named = Object.entries(subjects).flatMap(([type, { label, name, path }]) =>
    records
      .filter((record) => record.type === type && typeof record.attributes[name] === "string")
      .map(({ id, attributes }) => {
        const number = html`<span class="number">${String(attributes[name])}</span>`;
        return { label, link: path ? html`<a href="${path(encodeURIComponent(id))}">${number}</a>` : number };
      }),
  );
  if (named.length === 0) return null;
  const links = named.map(({ label, link }, index) => {
    const comma = index < named.length - 1 && ",";
    return html`<span class="subject"><span class="kind">${label}</span> ${link}${comma}</span> `;
  });
  return html`${links}`;
}
