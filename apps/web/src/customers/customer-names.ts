import { type Client, ConflictError, ValidationError } from "@svc/sdk";
import { type Html, html } from "@svc/views";
import { orNull } from "../http/or-null.ts";

/** Names that a field suggests: of one request. */
const suggestedMax = 100;

/** Names of the newest customers, for `customerInput`; none if the API is not available, because a form needs none. */
export async function readCustomerNames(api: Client): Promise<readonly string[]> {
  const customers = (await orNull(api.parties.list({ pageSize: suggestedMax })))?.data ?? [];
  return customers
    .map(({ attributes }) => attributes.company_name)
    .sort((one, other) => one.localeCompare(other, "en"));
}

/** The id of the customer of exactly this name, ignoring case; null: none. */
export async function findCustomer(api: Client, companyName: string): Promise<string | null> {
  return (await api.parties.list({ filter: { companyName: [companyName] } })).data[0]?.id ?? null;
}

/** Problem of rows that name an unknown customer: a mistyped name creates none. */
export const unknownCustomer = (name: string): string =>
  `There is no customer “${name}”. Correct the name, or let it be created below.`;

/** The id of the customer of this name, who is created if there is none. */
export async function findOrCreateCustomer(api: Client, name: string): Promise<string> {
  const known = await findCustomer(api, name);
  if (known !== null) return known;
  try {
    return (await api.parties.create({ companyName: name })).data.id;
  } catch (error) {
    // Another member created it meanwhile.
    const created =
      error instanceof ConflictError || error instanceof ValidationError ? await findCustomer(api, name) : null;
    if (created === null) throw error;
    return created;
  }
}

/** The path of a list limited to the customer of this name. */
export const customerListPath = (list: "/shipments" | "/containers", name: string): string =>
  `${list}?${new URLSearchParams({ customer_name: name })}`;

/** The list `customers` for inputs of a list's page: the customers of its rows. */
export const customerSuggestions = (names: readonly (string | null)[]): Html => html`
  <datalist id="customers">${[...new Set(names)].map(
    (name) => name !== null && html`<option value="${name}"></option>`,
  )}</datalist>`;

export const customerHint = "One of your customers, or the name of a new one.";

/** An input that suggests the names of customers. `attributes`: of the input. */
export const customerInput = (value: string, names: readonly string[], attributes: Html | null = null): Html => html`
  <input id="customer" name="customer" value="${value}" maxlength="200" list="customer-names"
    autocomplete="off"${attributes}>
  <datalist id="customer-names">${names.map((name) => html`<option value="${name}"></option>`)}</datalist>`;
