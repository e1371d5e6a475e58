import { AuthenticationError, type Client, type PartyResource, SvcError } from "@svc/sdk";
import { recordRoutes } from "../dashboard/record-routes.ts";
import type { Route } from "../http/define-route.ts";
import type { Services } from "../services.ts";
import {
  type CustomerCounts,
  type CustomerForm,
  customerFormPage,
  customerListPage,
  customersPath,
} from "./customer-pages.ts";

const newForm: CustomerForm = { companyName: "" };

type Groups = Promise<{
  readonly data: readonly { readonly attributes: { readonly value: string | null; readonly count: number } }[];
}>;

/** Counts by name; null where they cannot be read, because the list is of use without them. */
async function byName(groups: Groups): Promise<ReadonlyMap<string, number> | null> {
  try {
    const { data } = await groups;
    return new Map(data.map(({ attributes: { value, count } }) => [value ?? "", count]));
  } catch (error) {
    if (error instanceof AuthenticationError || !(error instanceof SvcError)) throw error;
    return null;
  }
}

async function readCounts(api: Client, customers: readonly PartyResource[]): Promise<CustomerCounts> {
  const names = customers.map(({ attributes }) => attributes.company_name);
  if (names.length === 0) return { inTransit: null, arrived: null, exceptions: null, lastFreeDayOver: null };
  const shipments = (status: string) => api.overviews.countShipments("customer", { customerName: names, status });
  const exceptions = (filter: { readonly kind?: string }) =>
    api.exceptions.count("customer", { ...filter, customer: names, status: "open" });
  const [inTransit, arrived, open, lastFreeDayOver] = await Promise.all([
    byName(shipments("in_transit")),
    byName(shipments("arrived_at_pod")),
    byName(exceptions({})),
    byName(exceptions({ kind: "last_free_day_over" })),
  ]);
  return { inTransit, arrived, exceptions: open, lastFreeDayOver };
}

/** Pages under `/account/customers`. */
export function customerRoutes({ apiBaseUrl }: Pick<Services, "apiBaseUrl">): readonly Route[] {
  return recordRoutes({
    path: customersPath,
    kind: "customer",
    notices: { created: "The customer is created.", saved: "Saved." },
    clientOf: (api) => api.parties,
    newForm,
    fields: { companyName: "Company name" },
    formOf: ({ attributes }) => ({ companyName: attributes.company_name }),
    readForm: (values) => ({ companyName: values.text("companyName") }),
    problemsOfForm: ({ companyName }) => (companyName === "" ? { companyName: "Enter a name." } : {}),
    settingsOf: (form) => form,
    async listPage({ records, ...listed }) {
      const counts = await readCounts(listed.caller.api, records);
      return customerListPage({ ...listed, apiBaseUrl }, records, counts);
    },
    formPage: customerFormPage,
  });
}
