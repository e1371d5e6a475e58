import type { CustomFieldDefinition, CustomFieldValue, InitialCustomField } from "@svc/domain/custom-fields";
import { looksLikeContainerNumber, normalizeContainerNumber } from "@svc/domain/identifiers";
import type { Fault } from "@svc/jsonapi";
import { readValues } from "../custom-fields/read-values.ts";
import { entityNames } from "../custom-fields/write-custom-field.ts";
import type { Caller } from "../http/authenticator.ts";
import type { Services } from "../services.ts";

interface SentField {
  readonly api_slug: string;
  readonly value?: CustomFieldValue | undefined;
  /** Absent, null or empty: every container. */
  readonly number?: string | null | undefined;
}

export interface SentInitialFields {
  readonly shipment?: readonly SentField[] | null | undefined;
  readonly containers?: readonly SentField[] | null | undefined;
}

interface InitialFieldInput extends SentField {
  readonly entityType: InitialCustomField["entityType"];
  readonly apiSlug: string;
  readonly containerNumber: string | null;
  /** JSON pointer to the field in the request. */
  readonly at: string;
}

function toInitialFieldInputs({ shipment, containers }: SentInitialFields, at: string): InitialFieldInput[] {
  const toInput =
    (entityType: InitialFieldInput["entityType"], member: string) => (field: SentField, index: number) => ({
      ...field,
      entityType,
      apiSlug: field.api_slug,
      containerNumber: field.number ? normalizeContainerNumber(field.number) : null,
      at: `${at}/attributes/initial_custom_fields/${member}/${index}`,
    });
  return [
    ...(shipment ?? []).map(toInput("Shipment", "shipment")),
    ...(containers ?? []).map(toInput("Container", "containers")),
  ];
}

const definitionKey = ({ entityType, apiSlug }: Pick<CustomFieldDefinition, "entityType" | "apiSlug">): string =>
  `${entityType} ${apiSlug}`;

const identityOf = (input: InitialFieldInput): string => `${definitionKey(input)} ${input.containerNumber}`;

interface CheckedInitialField {
  readonly wish: InitialFieldInput;
  /** Null: the value is not looked at. */
  readonly definition: CustomFieldDefinition | null;
  readonly faults: readonly Fault[];
}

/** Everything but the values, of the wishes of one request. */
function checkInitialFields(
  inputs: readonly InitialFieldInput[],
  definitions: ReadonlyMap<string, CustomFieldDefinition>,
): CheckedInitialField[] {
  const identities = new Set<string>();
  return inputs.map((input) => {
    const { entityType, apiSlug, containerNumber } = input;
    const faults: Fault[] = [];
    const refuse = (code: Fault["code"], member: string, detail: string) =>
      faults.push({ code, detail, source: { pointer: `${input.at}/${member}` } });
    const definition = definitions.get(definitionKey(input)) ?? null;
    const isRepeated = identities.has(identityOf(input));
    identities.add(identityOf(input));
    if (containerNumber !== null && !looksLikeContainerNumber(containerNumber)) {
      refuse("invalid", "number", "A container number has four letters, the fourth U, J or Z, and seven digits.");
    }
    if (isRepeated) {
      refuse("duplicate", "api_slug", `The ${entityNames[entityType]} already has a value for ${apiSlug}.`);
    } else if (!definition) {
      refuse("invalid", "api_slug", `${entityType} has no custom field ${apiSlug}. Define it first.`);
    }
    return { wish: input, definition: isRepeated ? null : definition, faults };
  });
}

export interface ReadInitialFields {
  readonly fields: readonly InitialCustomField[];
  readonly faults: readonly Fault[];
}

/**
 * Reads the values that requests for tracking give to custom fields of their shipments and containers
 * (docs/contract/reference.md 1.1) and checks them against the present definitions; returns every fault too. `at`:
 * position of the request in the body. Reads definitions and referenced records once for all requests.
 */
export async function readInitialCustomFields(
  services: Services,
  { accountId }: Caller,
  requests: readonly { readonly sent: SentInitialFields; readonly at: string }[],
): Promise<ReadInitialFields[]> {
  const inputsByRequest = requests.map(({ sent, at }) => toInitialFieldInputs(sent, at));
  const inputs = inputsByRequest.flat();
  if (inputs.length === 0) return requests.map(() => ({ fields: [], faults: [] }));
  const found = await services.customFieldDefinitions.findBySlugs(accountId, inputs);
  const definitions = new Map(found.map((definition) => [definitionKey(definition), definition]));
  const checked = inputsByRequest.map((wishes) => checkInitialFields(wishes, definitions));
  const sent = checked
    .flat()
    .flatMap(({ wish, definition }) =>
      definition ? [{ wish, definition, value: wish.value, pointer: `${wish.at}/value` }] : [],
    );
  const read = await readValues(services, accountId, sent);
  const valuesByInput = new Map(sent.map(({ wish }, index) => [wish, read[index]]));
  return checked.map((checkedFields) => {
    const fields: InitialCustomField[] = [];
    const faults: Fault[] = [];
    for (const { wish, definition, faults: fieldFaults } of checkedFields) {
      faults.push(...fieldFaults);
      const value = valuesByInput.get(wish);
      if (!definition || !value) continue;
      if ("fault" in value) faults.push(value.fault);
      else {
        const { entityType, containerNumber } = wish;
        fields.push({ entityType, definitionId: definition.id, value: value.value, containerNumber });
      }
    }
    return { fields, faults };
  });
}
