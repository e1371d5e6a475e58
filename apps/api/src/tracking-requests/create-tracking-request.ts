import {
  canBeAskedFor,
  type Fault,
  looksLikeContainerNumber,
  normalizeRequestNumber,
  type RequestType,
  TrackingError,
  type TrackingRequest,
} from "@svc/domain";
import type { createTrackingRequestDocument, WrittenResource } from "@svc/jsonapi";
import type { CatalogueLine, NewTrackingRequest } from "@svc/persistence";
import type { Caller } from "../http/authenticator.ts";
import type { Services } from "../services.ts";
import { readInitialCustomFields } from "./initial-custom-fields.ts";
import { findLine } from "./number-forms.ts";

export type TrackingRequestDraft = WrittenResource<typeof createTrackingRequestDocument>;

const numberNames: Readonly<Record<RequestType, string>> = {
  bill_of_lading: "bills of lading",
  booking_number: "booking numbers",
  container: "container numbers",
};

/**
 * Which shipping line the draft means, or why it means none (reference-contract.md 1.1.1). Null: the tracking worker is to tell
 * it from the number.
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
  const detail = "scac is required. To have it told from the number, set auto_detect_vocc_scac to true.";
  return { code: "blank", detail, source };
}

async function customerFaults(
  services: Services,
  caller: Caller,
  customerId: string | undefined,
  at: string,
): Promise<Fault[]> {
  if (customerId === undefined || (await services.parties.find(caller.accountId, customerId))) return [];
  const source = { pointer: `${at}/relationships/customer` };
  return [{ code: "not_found", detail: "There is no such party in this account.", source }];
}

/** What is to be stored for a draft that passes every rule. Throws `TrackingError` with all faults. */
export async function readTrackingRequest(
  services: Services,
  caller: Caller,
  draft: TrackingRequestDraft,
  at: string,
): Promise<NewTrackingRequest> {
  const { attributes, relationships } = draft;
  const { request_type: requestType, request_number: requestNumber } = attributes;
  const numberSource = { pointer: `${at}/attributes/request_number` };
  const chosen = chooseLine(draft, await services.shippingLines(), at);
  const customerId = relationships.customer?.data?.id;
  const initial = await readInitialCustomFields(services, caller, attributes.initial_custom_fields ?? {}, at);
  const faults = [...(await customerFaults(services, caller, customerId, at)), ...initial.faults];
  if (chosen !== null && "code" in chosen) throw new TrackingError([chosen, ...faults]);
  if (chosen !== null && !canBeAskedFor(chosen, requestType)) {
    const detail = `${chosen.name} (${chosen.scac}) cannot be asked for ${numberNames[requestType]}.`;
    faults.push({ code: "not_supported", detail, source: { pointer: `${at}/attributes/request_type` } });
  }
  const normalizedNumber = normalizeRequestNumber(requestType, requestNumber, chosen);
  if (requestType === "container" && !looksLikeContainerNumber(normalizedNumber)) {
    const detail = "A container number has four letters, the fourth U, J or Z, and seven digits.";
    faults.push({ code: "invalid", detail, source: numberSource });
  } else if (!/^[A-Z0-9]{3,50}$/.test(normalizedNumber)) {
    const detail = "request_number must have 3 to 50 letters (A to Z) and digits, spaces and dashes aside.";
    faults.push({ code: "invalid", detail, source: numberSource });
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
    customerId: customerId ?? null,
    initialCustomFields: initial.fields,
    createdByTokenId: caller.tokenId,
    now: services.clock.now(),
  };
}

/**
 * Stores a tracking request. Throws `TrackingError` for a number that is tracked already: `duplicate` with the id of its
 * request. `at` is where the draft is in the request's body.
 */
export async function storeTrackingRequest(
  services: Services,
  caller: Caller,
  request: NewTrackingRequest,
  at: string,
): Promise<TrackingRequest> {
  const outcome = await services.trackingRequests.create(caller.accountId, request);
  if (outcome.kind === "created") return outcome.request;
  throw TrackingError.of(
    "duplicate",
    `${request.requestNumber} of ${request.scac} is tracked already: its request is pending, awaiting its manifest or created.`,
    {
      source: { pointer: `${at}/attributes/request_number` },
      ...(outcome.existingId !== null && { meta: { tracking_request_id: outcome.existingId } }),
    },
  );
}
