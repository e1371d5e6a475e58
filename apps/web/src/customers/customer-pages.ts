import type { PartyResource } from "@svc/sdk";
import { actionsColumn, type Html, html } from "@svc/views";
import type { SignedInCaller } from "../access/api-clients.ts";
import { may } from "../access/callers.ts";
import { accountLayout } from "../account/account-layout.ts";
import { type ListedRecords, recordListPage } from "../dashboard/record-list-page.ts";
import { field, formProblem, type Problems } from "../forms/field.ts";
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
export function customerFormPage(options: {
  readonly caller: SignedInCaller;
  /** Null: a new customer. */
  readonly id: string | null;
  /** Idempotency key, so that submitting the form twice creates one customer. */
  readonly key: string;
  readonly form: CustomerForm;
  /** Hidden fields of the form of a stored record (`beforeForm`). */
  readonly before: Html | null;
  readonly problems?: Problems;
}): Html {
  const { caller, id, key, form, before, problems = {} } = options;
  const title = id === null ? "New customer" : `Edit ${form.companyName}`;
  return accountLayout({
    title,
    caller,
    part: "customers",
    isOfRecord: true,
    content: html`
      ${formProblem(problems)}
      <form class="card form" method="post" action="${id === null ? customersPath : `${customersPath}/${id}/edit`}">
        <input type="hidden" name="key" value="${key}">
        ${before}
        ${field({
          label: "Company name",
          name: "companyName",
          value: form.companyName,
          problems,
          isRequired: true,
          maxLength: 200,
        })}
        <p class="actions"><button>${id === null ? "Create customer" : "Save"}</button>
          <a href="${customersPath}">Cancel</a></p>
      </form>`,
  });
}
