import type { CatalogueEntry } from "@svc/carriers/catalogue";
import { sandboxCertificate } from "@svc/carriers/sandbox-certificate";

type Choice = CatalogueEntry["credentials"][number];

/** A value of the form with which an account connects the carrier. */
export interface CredentialValue {
  readonly field: string;
  readonly label: string;
  readonly value: string;
}

function sandboxValue(scac: string, field: string): string {
  if (field === "certificate" || field === "privateKey") return sandboxCertificate[field].trim();
  if (field === "scope") return `api://${scac.toLowerCase()}/.default`;
  const name = field.replace(/^headers\./, "").replace(/([a-z])([A-Z])/g, "$1-$2");
  return `demo-${scac}-${name}`.toLowerCase();
}

/** The credentials that the imitated carrier accepts, for each field of a choice. They are the same for everybody. */
export function acceptedCredentials(scac: string, { fields }: Choice): readonly CredentialValue[] {
  return fields.map(({ field, label, sameAs }) => ({ field, label, value: sandboxValue(scac, sameAs ?? field) }));
}

/** The value of a field, for example `clientId` or `headers.KeyId`; undefined when the choice has none. */
export function credentialOf(scac: string, choice: Choice, field: string): string | undefined {
  return acceptedCredentials(scac, choice).find((each) => each.field === field)?.value;
}
