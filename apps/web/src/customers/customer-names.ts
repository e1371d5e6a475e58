import { AuthenticationError, type Client, ConflictError, SvcError, ValidationError } from "@svc/sdk";
import { type Html, html } from "@svc/views";

/** Names that a field suggests. */
const suggestedMax = 500;

/** Names of the newest customers, for `customerInput`; none if the API is not available, because a form needs none. */
export async function readCustomerNames(api: Client): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    for await (const { attributes } of api.parties.iterate()) {
      names.push(attributes.company_name);
      if (names.length >= suggestedMax) break;
    }
  } catch (error) {
    if (error instanceof AuthenticationError || !(error instanceof SvcError)) throw error;
  }
  return names.sort((one, other) => one.localeCompare(other, "en"));
}

const sameName = (one: string, other: string): boolean =>
  one.localeCompare(other, "en", { sensitivity: "accent", usage: "search" }) === 0;

async function findCustomer(api: Client, name: string): Promise<string | null> {
  for await (const { id, attributes } of api.parties.iterate()) {
    if (sameName(attributes.company_name, name)) return id;
  }
  return null;
}

/** The id of the customer of this name, who is created if there is none. */
export async function customerOfName(api: Client, name: string): Promise<string> {
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

export const customerHint = "One of your customers, or the name of another one.";

/** An input that suggests the names of customers. `attributes`: of the input. */
export const customerInput = (value: string, names: readonly string[], attributes: Html | null = null): Html => html`
  <input id="customer" name="customer" value="${value}" maxlength="200" list="customer-names"
    autocomplete="off"${attributes}>
  <datalist id="customer-names">${names.map((name) => html`<option value="${name}"></option>`)}</datalist>`;
