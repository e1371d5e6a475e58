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

/** Numbers of records of customers by the customer's name; null: they could not be read. */
export interface CustomerCounts {
  /** Shipments between departure and arrival. */
  readonly inTransit: ReadonlyMap<string, number> | null;
  /** Shipments that have arrived at the port of discharge and are not picked up; without those further inland. */
  readonly arrived: ReadonlyMap<string, number> | null;
  /** Open exceptions. */
  readonly exceptions: ReadonlyMap<string, number> | null;
  /** Charges of containers that are over their last free day, not returned, or have other fees. */
  readonly charges: ReadonlyMap<string, string> | null;
}

interface Figure {
  readonly counts: ReadonlyMap<string, number | string> | null;
  readonly label: string;
  /** Parameters of the list that the figure opens. */
  readonly list: string;
}

const figuresOf = (counts: CustomerCounts): readonly Figure[] => [
  { counts: counts.inTransit, label: "In transit", list: "/shipments?status=in_transit&customer_name=" },
  { counts: counts.arrived, label: "Arrived at port", list: "/shipments?status=arrived_at_pod&customer_name=" },
  { counts: counts.exceptions, label: "Needs attention", list: "/attention?customer_name=" },
  { counts: counts.charges, label: "Charges", list: "/attention?customer_name=" },
];

function figureCell({ counts, label, list }: Figure, name: string): Html {
  const figure = counts?.get(name);
  const link = html`<a href="${list}${encodeURIComponent(name)}" aria-label="${label}: ${figure} of ${name}">${figure}</a>`;
  const none = html`<span class="none">${counts === null ? "–" : "0"}</span>`;
  return html`<td class="amount" data-label="${label}">${figure === undefined ? none : link}</td>`;
}

function row({ id, attributes: { company_name: name } }: PartyResource, figures: readonly Figure[], mayEdit: boolean) {
  return html`
    <tr>
      <th scope="row" data-label="Name">
        <a class="row-link" href="${customerListPath("/shipments", name)}">${name}</a></th>
      ${figures.map((figure) => figureCell(figure, name))}
      <td><span class="row-actions">
        <a href="${customerListPath("/containers", name)}" aria-label="Containers of ${name}">Containers</a>
        ${mayEdit && html`<a href="${customersPath}/${id}/edit" aria-label="Edit ${name}">Edit</a>`}</span></td>
    </tr>`;
}

/** `GET /account/customers`. */
export function customerListPage(
  listed: ListedRecords,
  customers: readonly PartyResource[],
  counts: CustomerCounts,
): Html {
  const mayEdit = may(listed.caller, "edit_records");
  const figures = figuresOf(counts);
  const headings = figures.map(({ label }) => html`<th class="amount" scope="col">${label}</th>`);
  return recordListPage(listed, {
    title: "Customers",
    part: "customers",
    path: customersPath,
    apiPath: "/parties",
    newLabel: "New customer",
    columns: ["Name", ...headings, actionsColumn],
    rows: customers.map((customer) => row(customer, figures, mayEdit)),
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
