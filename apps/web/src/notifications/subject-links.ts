import { type Html, html } from "@svc/views";

interface IncludedRecord {
  readonly id: string;
  readonly type: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

interface Subject {
  readonly label: string;
  /** The attribute with the name. */
  readonly name: string;
  /** The page of the record, if there is one; both arguments are encoded for an address. */
  readonly path?: (id: string, name: string) => string;
}

/** The types of records that notifications are about. */
const subjects: Readonly<Record<string, Subject>> = {
  container: { label: "Container", name: "number", path: (id) => `/containers/${id}` },
  shipment: { label: "Shipment", name: "bill_of_lading_number", path: (id) => `/shipments/${id}` },
  tracking_request: {
    label: "Tracking request",
    name: "request_number",
    path: (_id, number) => `/tracking-requests?number=${number}`,
  },
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
        const text = String(attributes[name]);
        const number = html`<span class="number">${text}</span>`;
        const address = path?.(encodeURIComponent(id), encodeURIComponent(text));
        return { label, link: address === undefined ? number : html`<a href="${address}">${number}</a>` };
      }),
  );
  if (named.length === 0) return null;
  const links = named.map(({ label, link }, index) => {
    const comma = index < named.length - 1 && ",";
    return html`<span class="subject"><span class="kind">${label}</span> ${link}${comma}</span> `;
  });
  return html`${links}`;
}
