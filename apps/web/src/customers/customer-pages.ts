import type { PartyResource } from "@svc/sdk";
import { actionsColumn, type Html, html, listTable } from "@svc/views";
import { may } from "../access/callers.ts";
import { accountLayout } from "../account/account-layout.ts";
import type { SignedInCaller } from "../dashboard/dashboard-routes.ts";
import { field, formProblem, type Problems } from "../forms/field.ts";
import { pageLinks } from "../pages/page-links.ts";
import { sameFromApi } from "../pages/same-from-api.ts";

export const customersPath = "/account/customers";

export interface CustomerForm {
  readonly companyName: string;
}

function row({ id, attributes: { company_name: name } }: PartyResource, mayEdit: boolean): Html {
  return html`
    <tr>
      <th scope="row" data-label="Name">${
        mayEdit ? html`<a class="row-link" href="${customersPath}/${id}/edit">${name}</a>` : name
      }</th>
      <td><a href="/containers?customer=${encodeURIComponent(name)}"
        aria-label="Containers of ${name}">Containers</a></td>
    </tr>`;
}

/** `GET /account/customers`. */
export function customerListPage(options: {
  readonly caller: SignedInCaller;
  readonly apiBaseUrl: string;
  readonly customers: readonly PartyResource[];
  readonly number: number;
  readonly hasMore: boolean;
  readonly notice: string | undefined;
}): Html {
  const { caller, apiBaseUrl, customers, number, hasMore, notice } = options;
  const mayEdit = may(caller, "edit_records");
  const empty = html`
    <section class="card empty"><h2>No customers yet</h2>
      <p>Assign a customer when you track a number or edit a shipment.
        Lists, the map, alerts and exports filter by it.</p>
    </section>`;
  const rows = customers.map((customer) => row(customer, mayEdit));
  return accountLayout({
    title: "Customers",
    caller,
    part: "customers",
    notice,
    content: html`
      <h1>Customers</h1>
      ${mayEdit && html`<p class="actions"><a class="button" href="${customersPath}/new">New customer</a></p>`}
      ${rows.length === 0 ? empty : listTable({ caption: "Customers", columns: ["Name", actionsColumn], rows })}
      ${pageLinks({ number, hasMore, addressOf: (page) => `${customersPath}?page=${page}` })}
      ${sameFromApi(apiBaseUrl, [{ path: "/parties" }])}`,
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
  readonly problems?: Problems;
}): Html {
  const { caller, id, key, form, problems = {} } = options;
  const title = id === null ? "New customer" : `Edit ${form.companyName}`;
  return accountLayout({
    title,
    caller,
    part: "customers",
    content: html`
      <h1>${title}</h1>
      ${formProblem(problems)}
      <form class="card form" method="post" action="${id === null ? customersPath : `${customersPath}/${id}/edit`}">
        <input type="hidden" name="key" value="${key}">
        ${field({
          label: "Company name",
          name: "companyName",
          value: form.companyName,
          problems,
          isRequired: true,
          maxLength: 200,
        })}
        <button>${id === null ? "Create customer" : "Save"}</button> <a href="${customersPath}">Cancel</a>
      </form>`,
  });
}
