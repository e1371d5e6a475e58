import {
  chargedExceptionKinds,
  exceptionKinds,
  exceptionResolutions,
  exceptionSeverities,
  exceptionStatuses,
} from "@svc/domain/exceptions";
import { booleanFlag, codes, enumList, freeTexts, ids, oneText, timestamp } from "@svc/jsonapi/query";
import { nilUuid } from "@svc/persistence";
import type { ExceptionFilters } from "@svc/persistence/exceptions";
import { findMemberByEmail } from "../members/find-members.ts";
import { type Found, foundMax, searchShipments } from "../overviews/overview-parameters.ts";
import type { Services } from "../services.ts";
import { withCanonicalScacs } from "../tracking-requests/number-forms.ts";

const withoutOwner = "none";
/** An id that no member has, so the filter matches nothing. */
const unknownOwner = nilUuid;

/** Filters of the list of exceptions and of their counts. */
export const exceptionFilters = {
  kind: enumList("filter[kind]", "Kind of exception.", exceptionKinds),
  severity: enumList("filter[severity]", "Severity.", exceptionSeverities),
  status: enumList("filter[status]", "Status of the exception.", exceptionStatuses),
  resolution: enumList("filter[resolution]", "Resolution of the exception.", exceptionResolutions),
  superseded: booleanFlag("filter[superseded]", "Whether the next step of its case took its place."),
  owner: freeTexts("filter[owner]", `E-mail address of the owner, or \`${withoutOwner}\`.`, 320),
  shipment: ids("filter[shipment]", "Id of the shipment."),
  container: ids("filter[container]", "Id of the container."),
  trackingRequest: ids("filter[tracking_request]", "Id of the tracking request."),
  carrier: codes("filter[carrier]", "SCAC of the shipment or the tracking request.", 4),
  customer: freeTexts("filter[customer]", "Part of the name of the customer."),
  customerName: freeTexts("filter[customer_name]", "Name of the customer, exact, in any case.", 200),
  tag: freeTexts("filter[tag]", "Tag of the shipment, exact.", 50),
  portOfDischarge: codes("filter[port_of_discharge]", "UN/LOCODE of the shipment's port of discharge.", 5),
  search: oneText(
    "filter[search]",
    `Part of a number or reference of the container, its shipment or the tracking request, as for GET /search; of up to ${foundMax} shipments and the newest 1,000 tracking requests.`,
    { maxLength: 1_000 },
  ),
  openedAfter: timestamp("filter[opened_after]", "Opened after this time."),
  ended: booleanFlag("filter[ended]", "Whether the condition has ended. A member can resolve one that lasts."),
} as const;
const { ended: _, ...charged } = {
  ...exceptionFilters,
  kind: enumList("filter[kind]", "Kind of exception. Default: all of these.", chargedExceptionKinds),
};
/** Filters of the sums of charges, which are of kinds that charge while their condition lasts. */
export const chargeFilters = charged;

type ExceptionFilterInput = Omit<ExceptionFilters, "owner" | "foundSubject" | "containerText"> & {
  readonly owner?: readonly string[];
  readonly search?: string;
};

async function ownerIds(owners: readonly string[], services: Services, accountId: string) {
  const members = await services.members.list(accountId);
  const findOwnerId = (email: string) =>
    email === withoutOwner ? null : (findMemberByEmail(members, email)?.userId ?? unknownOwner);
  return owners.map(findOwnerId);
}

/** The shipments and tracking requests that have the text. */
async function findSubjects(searchText: string, services: Services, accountId: string) {
  const { shipment, found } = await searchShipments(searchText, services, accountId, undefined);
  const { searchQuery } = found;
  const requests =
    searchQuery &&
    (await services.trackingRequests.findMatching(accountId, searchQuery, {
      shipmentIds: [],
      numbers: [searchQuery.number],
      limit: foundMax,
    }));
  const filters: ExceptionFilters = {
    foundSubject: [...shipment, ...(requests ?? [])],
    ...(searchQuery && { containerText: searchQuery }),
  };
  return { filters, found };
}

/** Owners by their ids, carriers by their own SCACs, and what the search finds. */
export async function findExceptionFilters(
  { owner, search, ...others }: ExceptionFilterInput,
  services: Services,
  accountId: string,
): Promise<{ readonly filters: ExceptionFilters; readonly found: Found | null }> {
  const [canonicalFilters, owners, searched] = await Promise.all([
    withCanonicalScacs(others, services),
    owner && ownerIds(owner, services, accountId),
    search === undefined ? null : findSubjects(search, services, accountId),
  ]);
  return {
    filters: { ...canonicalFilters, ...(owners && { owner: owners }), ...searched?.filters },
    found: searched?.found ?? null,
  };
}

/** Whether the search considered everything that matches. */
export const searchMeta = (found: Found | null) =>
  found === null ? {} : { search: { is_complete: found.isComplete, containers: [] } };
