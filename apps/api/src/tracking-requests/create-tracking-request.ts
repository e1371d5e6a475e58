import { looksLikeContainerNumber } from "@svc/domain/identifiers";
import {
  normalizeRequestNumber,
  type RequestType,
  supportsRequestType,
  type TrackingRequest,
} from "@svc/domain/tracking-requests";
import { type Fault, TrackingError } from "@svc/jsonapi";
import type { WrittenResource } from "@svc/jsonapi/documents";
import type { createTrackingRequestDocument } from "@svc/jsonapi/tracking-requests";
import type { CatalogueLine } from "@svc/persistence/reference-data";
import type { NewTrackingRequest } from "@svc/persistence/tracking";
import type { Caller } from "../http/authenticator.ts";
import type { Services } from "../services.ts";
import { type ReadInitialFields, readInitialCustomFields } from "./initial-custom-fields.ts";
import { findLine } from "./number-forms.ts";

export type TrackingRequestDraft = WrittenResource<typeof createTrackingRequestDocument>;

/** `booking` is the name that detection gives to a booking number (docs/contract/reference.md 1.1.2). */
export const toRequestType = (sent: RequestType | "booking"): RequestType =>
  sent === "booking" ? "booking_number" : sent;

const noInitialFields: ReadInitialFields = { fields: [], faults: [] };

const numberNames: Readonly<Record<RequestType, string>> = {
  bill_of_lading: "bills of lading",
  booking_number: "booking numbers",
  container: "container numbers",
};

/**
 * The shipping line of the draft, or why there is none (docs/contract/reference.md 1.1.1). Null: the tracking worker
 * detects it from the number.
 */
function chooseLine(
  { attributes }: TrackingRequestDraft,
  lines: readonly CatalogueLine[],
  at: string,
): CatalogueLine | Fault | null {
  const source = { pointer: `${at}/attributes/scac` };
  if (typeof attributes.scac === "string") {
    const line = findLine(attributes.scac, lines);
    return line ?? { code: "invalid", detail: `The SCAC ${JSON.stringify(attributes.scac)} is not known.`, source };
  }
  if (attributes.auto_detect_vocc_scac === true) return null;
  const detail = "scac is required. To detect the carrier from the number, set auto_detect_vocc_scac to true.";
  return { code: "blank", detail, source };
}

/** A draft, and where it is in the request's body. */
export interface PlacedDraft {
  readonly draft: TrackingRequestDraft;
  readonly at: string;
}

const customerOf = ({ draft }: PlacedDraft): string | null =>
  draft.relationships.customer?.data?.id.toLowerCase() ?? null;

/** Finds the parties of the account that drafts name as customers. */
async function findCustomers(
  services: Services,
  accountId: string,
  drafts: readonly PlacedDraft[],
): Promise<ReadonlySet<string>> {
  const ids = new Set(drafts.flatMap((placed) => customerOf(placed) ?? []));
  const parties = ids.size === 0 ? [] : await services.parties.findMany(accountId, [...ids]);
  return new Set(parties.map(({ id }) => id));
}

/** Records that drafts refer to. */
export interface NamedInDrafts {
  readonly lines: readonly CatalogueLine[];
  readonly customers: ReadonlySet<string>;
  readonly initialFieldsOf: ReadonlyMap<PlacedDraft, ReadInitialFields>;
}

/** Looks up what the drafts name: with as many statements for hundreds of them as for one. */
export async function lookUpDrafts(
  services: Services,
  caller: Caller,
  drafts: readonly PlacedDraft[],
): Promise<NamedInDrafts> {
  const lines = await services.shippingLines();
  const sent = drafts.map(({ draft, at }) => ({ sent: draft.attributes.initial_custom_fields ?? {}, at }));
  const initialFields = await readInitialCustomFields(services, caller, sent);
  return {
    lines,
    customers: await findCustomers(services, caller.accountId, drafts),
    initialFieldsOf: new Map(drafts.map((placed, index) => [placed, initialFields[index] ?? noInitialFields])),
  };
}

/** Returns the row to be stored for a draft. Throws `TrackingError` with all faults of one that violates a rule. */
export function readTrackingRequest(
  services: Services,
  caller: Caller,
  placed: PlacedDraft,
  named: NamedInDrafts,
): NewTrackingRequest {
  const { draft, at } = placed;
  const { attributes } = draft;
  const requestType = toRequestType(attributes.request_type);
  const { request_number: requestNumber } = attributes;
  const initial = named.initialFieldsOf.get(placed) ?? noInitialFields;
  const chosen = chooseLine(draft, named.lines, at);
  const customerId = customerOf(placed);
  const faults: Fault[] = [];
  const refuse = (code: Fault["code"], place: string, detail: string) =>
    faults.push({ code, detail, source: { pointer: `${at}/${place}` } });
  if (customerId !== null && !named.customers.has(customerId)) {
    refuse("not_found", "relationships/customer", "This account has no party with this id.");
  }
  faults.push(...initial.faults);
  if (chosen !== null && "code" in chosen) throw new TrackingError([chosen, ...faults]);
  if (chosen !== null && !supportsRequestType(chosen, requestType)) {
    const detail = `${chosen.name} (${chosen.scac}) does not support tracking by ${numberNames[requestType]}.`;
    refuse("not_supported", "attributes/request_type", detail);
  }
  const normalizedNumber = normalizeRequestNumber(requestType, requestNumber, chosen);
  if (requestType === "container" && !looksLikeContainerNumber(normalizedNumber)) {
    const detail = "A container number has four letters, the fourth U, J or Z, and seven digits.";
    refuse("invalid", "attributes/request_number", detail);
  } else if (!/^[A-Z0-9]{3,50}$/.test(normalizedNumber)) {
    const detail = "request_number must have 3 to 50 letters (A to Z) and digits, spaces and dashes aside.";
    refuse("invalid", "attributes/request_number", detail);
  }
  const [first, ...others] = faults;
  if (first) throw new TrackingError([first, ...others]);
  return {
    id: services.ids.next(),
    subjectId: services.ids.next(),
    requestType,
    requestNumber,
    normalizedNumber,
    scac: chosen?.scac ?? null,
    autoDetectScac: attributes.auto_detect_vocc_scac ?? false,
    refNumbers: attributes.ref_numbers ?? [],
    shipmentTags: attributes.shipment_tags ?? [],
    customerId,
    initialCustomFields: initial.fields,
    createdByTokenId: caller.tokenId,
    createdByUserId: caller.userId,
    now: services.clock.now(),
  };
}

/**
 * Stores a tracking request. Throws `TrackingError` for a number that is tracked already: `duplicate` with the id of
 * its request. `at` is where the draft is in the request's body.
 */
export async function storeTrackingRequest(
  services: Services,
  caller: Caller,
  request: NewTrackingRequest,
  at: string,
): Promise<TrackingRequest> {
  const outcome = await services.startTracking(caller.accountId, request);
  if (outcome.kind === "created") return outcome.request;
  throw TrackingError.of(
    "duplicate",
    `${request.requestNumber} of ${request.scac} is already tracked: its request is pending, awaiting_manifest or created.`,
    {
      source: { pointer: `${at}/attributes/request_number` },
      ...(outcome.existingId !== null && { meta: { tracking_request_id: outcome.existingId } }),
    },
  );
}
