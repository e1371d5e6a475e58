import { exceptionKinds } from "@svc/domain/exceptions";
import type { ExceptionResource } from "@svc/jsonapi/exceptions";
import type { ShipmentResource } from "@svc/jsonapi/shipments";
import type { ExceptionFilters } from "@svc/sdk";
import { z } from "zod";
import type { Caller } from "../../api/caller.ts";
import { cutText } from "../../text/clean-text.ts";
import type { ToolOutcome } from "./define-tool.ts";
import { optionalText } from "./fields.ts";
import { listOutcome } from "./list-outcome.ts";
import { type HistoryPart, hasNextPage } from "./record-history.ts";
import { ToolError } from "./tool-error.ts";

/** Maximum number of exceptions shown of one record, the most urgent ones. */
const exceptionsPageSize = 10;
/** Characters of an exception's note, so that a row stays a row. */
const noteLengthMax = 320;

export const exceptionRow = z.object({
  number: z.string().describe("number of the container, shipment or tracking request"),
  kind: z.string(),
  severity: z.string(),
  summary: z.string(),
  cause: optionalText,
  status: optionalText.describe("snoozed or resolved; absent: open"),
  bill_of_lading_number: optionalText,
  customer: optionalText,
  carrier: optionalText,
  pod: optionalText,
  eta_at: optionalText,
  last_free_day: optionalText,
  owner: optionalText,
  note: optionalText,
  snoozed_until: optionalText,
  opened_at: z.string(),
});

/** Exceptions in the result of a record, if requested, or in a list of them. */
export const exceptionsOutput = {
  exceptions: z.array(exceptionRow).optional(),
  exceptions_total: z.number().optional(),
};

const included = (resources: readonly { readonly type: string; readonly id: string }[], id: string | undefined) =>
  resources.find((one) => one.type === "shipment" && one.id === id) as ShipmentResource | undefined;

export function toExceptionRow(
  { attributes: exception, relationships }: ExceptionResource,
  resources: readonly { readonly type: string; readonly id: string }[],
): z.input<typeof exceptionRow> {
  const shipment = included(resources, relationships.shipment.data?.id)?.attributes;
  // After the arrival there is no estimate, except that of the delay itself.
  const pendingEtaAt = shipment?.pod_ata_at ? null : shipment?.pod_eta_at;
  return {
    number: exception.number,
    kind: exception.kind,
    severity: exception.severity,
    summary: exception.summary,
    cause: exception.cause ?? undefined,
    status: exception.status === "open" ? undefined : exception.status,
    bill_of_lading_number:
      exception.shipment_number === exception.number ? undefined : (exception.shipment_number ?? undefined),
    customer: shipment?.customer_name ?? undefined,
    carrier: shipment?.shipping_line_scac,
    pod: shipment?.port_of_discharge_locode ?? undefined,
    eta_at: exception.estimated_arrival_at ?? pendingEtaAt ?? undefined,
    last_free_day: exception.last_free_day ?? undefined,
    owner: exception.owner ?? undefined,
    note: exception.note === null ? undefined : cutText(exception.note, noteLengthMax),
    snoozed_until: exception.snoozed_until ?? undefined,
    opened_at: exception.opened_at,
  };
}

export const attentionArguments = {
  needs_attention: z.boolean().describe("exceptions, most urgent first; with customer, carrier, tag").optional(),
  exception_kind: z.array(z.enum(exceptionKinds)).optional(),
  owner: z.string().trim().min(1).max(320).describe("of exceptions: e-mail or none").optional(),
};

const combining = ["customer", "carrier", "tag", "page", "page_size", ...Object.keys(attentionArguments)];

interface ExceptionListInput {
  readonly needs_attention?: boolean | undefined;
  readonly exception_kind?: ExceptionFilters["kind"];
  readonly owner?: string | undefined;
  readonly customer?: string | undefined;
  readonly carrier?: string | undefined;
  readonly tag?: string | undefined;
  readonly page: number;
  readonly page_size: number;
}

export const requestsExceptions = ({ needs_attention, exception_kind, owner }: ExceptionListInput): boolean =>
  needs_attention === true || exception_kind !== undefined || owner !== undefined;

/** Refuses filters that do not combine with exceptions, so that an unfiltered list is not taken for a filtered one. */
function refuseOthers(input: ExceptionListInput): void {
  const unused = Object.entries(input).flatMap(([name, value]) =>
    value === undefined || combining.includes(name) || name === "sort" ? [] : name,
  );
  if (unused.length === 0) return;
  const message =
    `needs_attention does not combine with ${unused.join(", ")}. Call again without, or with ` +
    `${combining.slice(0, 3).join(", ")}, exception_kind or owner.`;
  throw new ToolError({ code: "invalid_arguments", message });
}

/** The queue of open exceptions with its counts by kind, so that one call returns both. */
export async function listExceptions(input: ExceptionListInput, { client }: Caller, explain: () => Promise<string>) {
  refuseOthers(input);
  const { exception_kind: kind, owner, customer, carrier, tag, page, page_size } = input;
  const filter: ExceptionFilters = {
    status: "open",
    kind,
    owner,
    carrier,
    customer: customer && [customer],
    tag: tag && [tag],
  };
  const [document, counts] = await Promise.all([
    client.exceptions.list({ filter, page, pageSize: page_size }, { include: ["shipment"] }),
    client.exceptions.count("kind", filter),
  ]);
  const rows = document.data.map((one) => toExceptionRow(one, document.included ?? []));
  const isNarrowed = [kind, owner, customer, carrier, tag].some((value) => value !== undefined);
  const none = isNarrowed ? explain : () => "Nothing needs attention.";
  const { content, ...outcome } = listOutcome({
    what: "exceptions",
    document,
    items: rows,
    input,
    nextStep: "Details: get_container or get_shipment_details(id=<number>).",
    explanation: rows.length === 0 ? await none() : undefined,
  });
  const { items, ...paging } = content as { readonly items: readonly object[] };
  const groups = counts.data.map(({ attributes }) => ({ value: attributes.value ?? "none", count: attributes.count }));
  return { ...outcome, content: { exceptions: items, ...paging, groups } } satisfies ToolOutcome;
}

/** The exceptions of one shipment or container that are not resolved. */
export async function loadExceptions(
  filter: Pick<ExceptionFilters, "shipment" | "container">,
  page: number,
  { client }: Caller,
): Promise<HistoryPart> {
  const openFilter = { ...filter, status: ["open", "snoozed"] };
  const document = await client.exceptions.list({ filter: openFilter, page, pageSize: exceptionsPageSize });
  const rows = document.data.map((one) => toExceptionRow(one, []));
  const content = { exceptions: rows, exceptions_total: document.meta?.page?.total ?? rows.length };
  return { content, hasNext: hasNextPage(document) };
}
