interface Resource {
  readonly type?: string;
  readonly attributes?: Readonly<Record<string, unknown>>;
}

export interface NotificationDocument {
  readonly data: { readonly id: string; readonly attributes: { readonly event: string } };
  readonly included?: readonly Resource[];
}

/** Attributes that name the subject of a notification, by type of resource, best first. */
const subjects = [
  ["container", "number"],
  ["shipment", "bill_of_lading_number"],
  ["tracking_request", "request_number"],
] as const;

function subjectOf(document: NotificationDocument): string {
  for (const [type, attribute] of subjects) {
    const found = document.included?.find((resource) => resource.type === type)?.attributes?.[attribute];
    if (typeof found === "string") return found;
  }
  return "-";
}

/** Throws when the body is no notification. */
export function readNotification(body: Buffer): NotificationDocument {
  const document = JSON.parse(body.toString("utf8")) as Partial<NotificationDocument> | null;
  const { data } = document ?? {};
  if (typeof data?.id !== "string" || typeof data.attributes?.event !== "string") throw new Error("no notification");
  return document as NotificationDocument;
}

/** One line for a person: time, event, container or shipment number, verdict. */
export function notificationLine(time: Date, document: NotificationDocument | null, verdict: string): string {
  const event = document?.data.attributes.event ?? "-";
  const subject = document ? subjectOf(document) : "-";
  return `${time.toISOString()}  ${event.padEnd(50)}  ${subject.padEnd(16)}  ${verdict}`;
}
