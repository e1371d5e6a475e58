import type { PartyResource } from "@svc/sdk";
import { actionsColumn, type Html, html } from "@svc/views";
import { may } from "../access/callers.ts";
import { type RecordForm, recordFormPage } from "../dashboard/record-form.ts";
import { type ListedRecords, recordListPage } from "../dashboard/record-list-page.ts";
import { field } from "../forms/field.ts";
import { customerListPath } from "./customer-names.ts";

export const customersPath = "/account/customers";

export interface CustomerForm {
  readonly companyName: string;
}

function row({ id, attributes: { company_name: name } }: PartyResource, mayEdit: boolean): Html {
  return html`
    <tr>
      <th scope="row" data-label="Name">
        <a class="row-link" href="${customerListPath("/shipments", name)}">${name}</a></th>
      <td><span class="row-actions">
        <a href="${customerListPath("/containers", name)}" aria-label="Containers of ${name}">Containers</a>
        ${mayEdit && html`<a href="${customersPath}/${id}/edit" aria-label="Edit ${name}">Edit</a>`}</span></td>
    </tr>`;
}

/** `GET /account/customers`. */
export function customerListPage(listed: ListedRecords, customers: readonly PartyResource[]): Html {
  const mayEdit = may(listed.caller, "edit_records");
  return recordListPage(listed, {
    title: "Customers",
    part: "customers",
    path: customersPath,
    apiPath: "/parties",
    newLabel: "New customer",
    columns: ["Name", actionsColumn],
    rows: customers.map((customer) => row(customer, mayEdit)),
    empty: {
      heading: "No customers yet",
      text:
        "Assign a customer when you track a number or edit a shipment. " +
        "Lists, the map, alerts and exports filter by it.",
    },
  });
}

/** `GET /account/customers/new` and `/account/customers/{id}/edit`. */
export function customerFormPage(shown: RecordForm<CustomerForm>): Html {
  const { id, form, problems = {} } = shown;
  return recordFormPage(shown, {
    title: id === null ? "New customer" : `Edit ${form.companyName}`,
    part: "customers",
    path: customersPath,
    createLabel: "Create customer",
    fields: html`
        ${field({
          label: "Company name",
          name: "companyName",
          value: form.companyName,
          problems,
          isRequired: true,
          maxLength: 200,
        })}`,
  });
}
