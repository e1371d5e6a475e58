import { applicableSettings, type SavedView, viewProblems, viewRequest } from "@svc/domain/saved-views";
import { type SavedViewResource, savedViewResource } from "@svc/jsonapi/saved-views";
import type { CatalogueLine } from "@svc/persistence/reference-data";
import type { Caller } from "../http/authenticator.ts";
import { readMemberEmails } from "../members/find-members.ts";
import type { Services } from "../services.ts";
import { canonicalScacs } from "../tracking-requests/number-forms.ts";

type OutdatedFilters = SavedViewResource["attributes"]["outdated_filters"];

interface Known {
  readonly lines: readonly CatalogueLine[];
  readonly missingCustomers: ReadonlySet<string>;
  readonly missingNames: ReadonlySet<string>;
  /** Whether the caller has a member, whom the owner `me` stands for. */
  readonly hasMember: boolean;
}

const noSuchCustomer = "No customer has this name now, so nothing matches.";

function outdatedFilters(
  view: SavedView,
  { lines, missingCustomers, missingNames, hasMember }: Known,
): OutdatedFilters {
  const { carrier, customer, customer_name: customerName, owner } = applicableSettings(view).filters;
  const isUnknownCarrier = carrier !== undefined && !lines.some(({ scac }) => scac === carrier);
  const found: (OutdatedFilters[number] | false)[] = [
    ...viewProblems(view).map(
      ({ name }) =>
        name !== null && {
          name,
          value: view.filters[name] ?? "",
          detail: "The filter is not applied: the list no longer has it.",
        },
    ),
    isUnknownCarrier && { name: "carrier", value: carrier, detail: "No carrier has this SCAC, so nothing matches." },
    customer !== undefined &&
      missingCustomers.has(customer) && { name: "customer", value: customer, detail: noSuchCustomer },
    customerName !== undefined &&
      missingNames.has(customerName) && { name: "customer_name", value: customerName, detail: noSuchCustomer },
    owner === "me" &&
      !hasMember && { name: "owner", value: owner, detail: "The token has no user, so nothing matches." },
  ];
  return found.filter((one) => one !== false);
}

/** The wire form of views, as the caller sees them. */
export async function viewResources(services: Services, caller: Caller, views: readonly SavedView[]) {
  const { accountId, userId } = caller;
  const customers = views.flatMap(({ filters }) => filters.customer ?? []);
  const names = views.flatMap(({ filters }) => filters.customer_name ?? []);
  const [emailOf, lines, missing, missingNames] = await Promise.all([
    readMemberEmails(services, accountId, [userId, ...views.map(({ createdByUserId }) => createdByUserId)]),
    services.shippingLines(),
    services.savedViews.missingCustomers(accountId, [...new Set(customers)]),
    services.savedViews.missingCustomerNames(accountId, [...new Set(names)]),
  ]);
  const memberEmail = emailOf(userId);
  const known = {
    lines,
    missingCustomers: new Set(missing),
    missingNames: new Set(missingNames),
    hasMember: memberEmail !== null,
  };
  const now = services.clock.now();
  return (view: SavedView, baseUrl: string): SavedViewResource =>
    savedViewResource(
      {
        view,
        userId,
        creatorEmail: emailOf(view.createdByUserId),
        request: viewRequest(view, { now, memberEmail }),
        outdatedFilters: outdatedFilters(view, known),
      },
      baseUrl,
    );
}

/** Carriers under the SCAC that their records have. */
export async function withCanonicalCarrier(filters: Readonly<Record<string, string>>, services: Services) {
  const { carrier } = filters;
  if (carrier === undefined) return filters;
  const [canonical = carrier] = canonicalScacs([carrier], await services.shippingLines());
  return { ...filters, carrier: canonical };
}
