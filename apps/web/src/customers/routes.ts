import { runningChargeKinds } from "@svc/domain/exceptions";
import { moneyText } from "@svc/domain/money";
import type { Client, ExceptionChargeResource, OverviewCountResource, PartyResource } from "@svc/sdk";
import { recordRoutes } from "../dashboard/record-routes.ts";
import type { Route } from "../http/define-route.ts";
import { orNull } from "../http/or-null.ts";
import type { Services } from "../services.ts";
import {
  type CustomerCounts,
  type CustomerForm,
  customerFormPage,
  customerListPage,
  customersPath,
} from "./customer-pages.ts";

const newForm: CustomerForm = { companyName: "" };

type Counts = { readonly data: readonly OverviewCountResource[] };

const countsByName = ({ data }: Counts) =>
  new Map(data.map(({ attributes: { value, count } }) => [value ?? "", count] as const));

/** "985.00 USD"; "not known" where no amount is. */
const chargesByName = ({ data }: { readonly data: readonly ExceptionChargeResource[] }) =>
  new Map(
    data.map(({ attributes: { value, sums } }) => {
      const amounts = sums.flatMap(({ amount, currency_code: currencyCode }) =>
        amount > 0 ? moneyText({ amount, currencyCode }) : [],
      );
      return [value ?? "", amounts.join(" + ") || "not known"] as const;
    }),
  );

async function readCounts(api: Client, customers: readonly PartyResource[]): Promise<CustomerCounts> {
  const customerName = customers.map(({ attributes }) => attributes.company_name);
  if (customerName.length === 0) return { inTransit: null, arrived: null, exceptions: null, charges: null };
  const shipments = (status: string) => api.overviews.countShipments("customer", { customerName, status });
  const [inTransit, arrived, exceptions, charges] = await Promise.all([
    orNull(shipments("in_transit").then(countsByName)),
    orNull(shipments("arrived_at_pod").then(countsByName)),
    orNull(api.exceptions.count("customer", { customerName, status: "open" }).then(countsByName)),
    orNull(api.exceptions.charges("customer", { customerName, kind: runningChargeKinds }).then(chargesByName)),
  ]);
  return { inTransit, arrived, exceptions, charges };
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
