import type { CarrierResource } from "@svc/jsonapi/carrier-connections";
import type { ConnectionCredentials } from "./carrier-connections.ts";

type Choice = CarrierResource["attributes"]["credential_choices"][number];

const headerPrefix = "headers.";

/** The fields of a choice that a form has to ask for: the others have the value of one of them. */
export const fieldsToAsk = ({ fields }: Choice): Choice["fields"] =>
  fields.filter(({ same_as: sameAs }) => sameAs === null);

/** Credentials for `carrierConnections.create`, from the values of a choice of `carriers.list` by field name. */
export function credentialsOfChoice(
  choice: Choice,
  values: Readonly<Record<string, string | undefined>>,
): ConnectionCredentials {
  const entries = choice.fields.map(({ name, same_as: sameAs }) => [name, values[sameAs ?? name] ?? ""] as const);
  const headers = entries
    .filter(([name]) => name.startsWith(headerPrefix))
    .map(([name, value]) => ({ name: name.slice(headerPrefix.length), value }));
  const own = Object.fromEntries(entries.filter(([name]) => !name.startsWith(headerPrefix)));
  return { kind: choice.kind, ...own, ...(headers.length > 0 && { headers }) } as ConnectionCredentials;
}
