import {
  type CustomFieldValue,
  type Fault,
  type InitialCustomField,
  looksLikeContainerNumber,
  normalizeContainerNumber,
} from "@svc/domain";
import { entityNames, readValue } from "../custom-fields/write-custom-field.ts";
import type { Caller } from "../http/authenticator.ts";
import type { Services } from "../services.ts";

interface SentField {
  readonly api_slug: string;
  readonly value?: CustomFieldValue | undefined;
  readonly number?: string | undefined;
}

export interface SentInitialFields {
  readonly shipment?: readonly SentField[] | undefined;
  readonly containers?: readonly SentField[] | undefined;
}

interface Wish extends SentField {
  readonly entityType: InitialCustomField["entityType"];
  readonly apiSlug: string;
  readonly containerNumber: string | null;
  /** Where it was sent. */
  readonly at: string;
}

function wishesOf({ shipment = [], containers = [] }: SentInitialFields, at: string): Wish[] {
  const wish = (entityType: Wish["entityType"], member: string) => (field: SentField, index: number) => ({
    ...field,
    entityType,
    apiSlug: field.api_slug,
    containerNumber: field.number === undefined ? null : normalizeContainerNumber(field.number),
    at: `${at}/attributes/initial_custom_fields/${member}/${index}`,
  });
  return [...shipment.map(wish("Shipment", "shipment")), ...containers.map(wish("Container", "containers"))];
}

const identityOf = ({ entityType, apiSlug, containerNumber }: Wish): string =>
  `${entityType} ${apiSlug} ${containerNumber}`;

/**
 * What a request for tracking wants of the custom fields of its shipment and containers (reference-contract.md 1.1), checked
 * against their definitions as they are now; and every fault. `at` is where the request is in the body.
 */
export async function readInitialCustomFields(
  services: Services,
  caller: Caller,
  sent: SentInitialFields,
  at: string,
): Promise<{ readonly fields: readonly InitialCustomField[]; readonly faults: readonly Fault[] }> {
  const wishes = wishesOf(sent, at);
  if (wishes.length === 0) return { fields: [], faults: [] };
  const definitions = await services.customFieldDefinitions.findBySlugs(caller.accountId, wishes);
  const fields: InitialCustomField[] = [];
  const faults: Fault[] = [];
  const seen = new Set<string>();
  for (const wish of wishes) {
    const { entityType, apiSlug, containerNumber, value } = wish;
    const refuse = (code: Fault["code"], member: string, detail: string) =>
      faults.push({ code, detail, source: { pointer: `${wish.at}/${member}` } });
    const definition = definitions.find((one) => one.entityType === entityType && one.apiSlug === apiSlug);
    if (containerNumber !== null && !looksLikeContainerNumber(containerNumber)) {
      refuse("invalid", "number", "A container number has four letters, the fourth U, J or Z, and seven digits.");
    }
    if (seen.has(identityOf(wish))) {
      refuse("duplicate", "api_slug", `The ${entityNames[entityType]} has a value for ${apiSlug} already.`);
    } else if (!definition) {
      refuse("invalid", "api_slug", `${entityType} has no custom field ${apiSlug}. Define it first.`);
    } else {
      const read = await readValue(services, caller.accountId, definition, { value, pointer: `${wish.at}/value` });
      if ("fault" in read) faults.push(read.fault);
      else fields.push({ entityType, definitionId: definition.id, value: read.value, containerNumber });
    }
    seen.add(identityOf(wish));
  }
  return { fields, faults };
}
