import {
  type Fault,
  inferNumber,
  looksLikeContainerNumber,
  normalizeContainerNumber,
  normalizeShipmentNumber,
  type RequestType,
  TrackingError,
  type TrackingRequest,
} from "@svc/domain";
import type { createTrackingRequestDocument, WrittenResource } from "@svc/jsonapi";
import type { CatalogueLine } from "@svc/persistence";
import type { Caller } from "../http/authenticator.ts";
import type { Services } from "../services.ts";
import { findLine } from "./number-forms.ts";

export type TrackingRequestDraft = WrittenResource<typeof createTrackingRequestDocument>;

const numberNames: Readonly<Record<RequestType, string>> = {
  bill_of_lading: "bills of lading",
  booking_number: "booking numbers",
  container: "container numbers",
};

function supports(line: CatalogueLine, type: RequestType): boolean {
  if (type === "container") return line.containerNumberTrackingSupport;
  return type === "booking_number" ? line.bookingNumberTrackingSupport : line.billOfLadingTrackingSupport;
}

/** Which shipping line the draft means, or why that cannot be told (reference-contract.md 1.1.1). */
function chooseLine(
  { attributes }: TrackingRequestDraft,
  lines: readonly CatalogueLine[],
  at: string,
): CatalogueLine | Fault {
  const source = { pointer: `${at}/attributes/scac` };
  if (typeof attributes.scac === "string") {
    const line = findLine(attributes.scac, lines);
    return line ?? { code: "invalid", detail: `The SCAC ${JSON.stringify(attributes.scac)} is not known.`, source };
  }
  if (attributes.auto_detect_vocc_scac !== true) {
    const detail = "scac is required. To have it told from the number, set auto_detect_vocc_scac to true.";
    return { code: "blank", detail, source };
  }
  const { selected } = inferNumber(attributes.request_number, lines);
  const detected = selected && findLine(selected.scac, lines);
  return (
    detected ?? { code: "invalid", detail: "The shipping line cannot be told from this number: give scac.", source }
  );
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

/**
 * Stores a tracking request that passes every rule. Throws `TrackingError` with all faults; a number that is tracked
 * already is refused as `duplicate` with the id of its request. `at` is where the draft is in the request's body.
 */
export async function createTrackingRequest(
  services: Services,
  caller: Caller,
  draft: TrackingRequestDraft,
  at: string,
): Promise<TrackingRequest> {
  const { attributes, relationships } = draft;
  const { request_type: requestType, request_number: requestNumber } = attributes;
  const numberSource = { pointer: `${at}/attributes/request_number` };
  const chosen = chooseLine(draft, await services.shippingLines(), at);
  const customerId = relationships.customer?.data?.id;
  const faults = await customerFaults(services, caller, customerId, at);
  if ("code" in chosen) throw new TrackingError([chosen, ...faults]);
  if (!supports(chosen, requestType)) {
    const detail = `${chosen.name} (${chosen.scac}) cannot be asked for ${numberNames[requestType]}.`;
    faults.push({ code: "not_supported", detail, source: { pointer: `${at}/attributes/request_type` } });
  }
  const isContainer = requestType === "container";
  const normalizedNumber = isContainer
    ? normalizeContainerNumber(requestNumber)
    : normalizeShipmentNumber(requestNumber, chosen);
  if (isContainer && !looksLikeContainerNumber(normalizedNumber)) {
    const detail = "A container number has four letters, the fourth U, J or Z, and seven digits.";
    faults.push({ code: "invalid", detail, source: numberSource });
  } else if (!/^[A-Z0-9]{3,50}$/.test(normalizedNumber)) {
    const detail = "request_number must have 3 to 50 letters (A to Z) and digits, spaces and dashes aside.";
    faults.push({ code: "invalid", detail, source: numberSource });
  }
  const [first, ...others] = faults;
  if (first) throw new TrackingError([first, ...others]);
  const outcome = await services.trackingRequests.create(caller.accountId, {
    id: services.ids.next(),
    subjectId: services.ids.next(),
    requestType,
    requestNumber,
    normalizedNumber,
    scac: chosen.scac,
    autoDetectScac: attributes.auto_detect_vocc_scac ?? false,
    refNumbers: attributes.ref_numbers ?? [],
    shipmentTags: attributes.shipment_tags ?? [],
    customerId: customerId ?? null,
    createdByTokenId: caller.tokenId,
    now: services.clock.now(),
  });
  if (outcome.kind === "created") return outcome.request;
  throw TrackingError.of(
    "duplicate",
    `${requestNumber} of ${chosen.scac} is tracked already: its request is pending, awaiting its manifest or created.`,
    {
      source: numberSource,
      ...(outcome.existingId !== null && { meta: { tracking_request_id: outcome.existingId } }),
    },
  );
}
