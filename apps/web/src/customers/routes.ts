import { recordRoutes } from "../dashboard/record-routes.ts";
import type { Route } from "../http/define-route.ts";
import type { Services } from "../services.ts";
import { type CustomerForm, customerFormPage, customerListPage, customersPath } from "./customer-pages.ts";

const newForm: CustomerForm = { companyName: "" };

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
    listPage: ({ records, ...listed }) => customerListPage({ ...listed, apiBaseUrl }, records),
    formPage: customerFormPage,
  });
}
