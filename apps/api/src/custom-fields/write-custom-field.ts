import type {
  CustomField,
  CustomFieldDefinition,
  CustomFieldEntityType,
  CustomFieldValue,
} from "@svc/domain/custom-fields";
import { attributeSource, invalidAttribute, notFound, TrackingError } from "@svc/jsonapi";
import type { CustomFieldEntity } from "@svc/persistence/custom-fields";
import { checkWritten } from "../http/preconditions.ts";
import { requireFound } from "../http/require-found.ts";
import type { Services } from "../services.ts";
import { readValues } from "./read-values.ts";

/** Noun for each kind of entity in error messages. */
export const entityNames: Readonly<Record<CustomFieldEntityType, string>> = {
  Shipment: "shipment",
  Container: "container",
  TrackingRequest: "tracking request",
};

export interface WrittenCustomField {
  readonly entity: CustomFieldEntity;
  readonly apiSlug: string;
  /** Value of the field. Default: that of the definition. */
  readonly value?: CustomFieldValue | undefined;
  /** Whether the entity must have no value yet (`create`), must have one (`edit`), or may have either. */
  readonly mode: "create" | "edit" | "create or edit";
  readonly ifVersions: readonly number[] | null;
}

export async function checkEntity(
  services: Services,
  accountId: string,
  { type, id }: CustomFieldEntity,
): Promise<void> {
  const records = await services.customFields.findRecords(accountId, type, [id]);
  if (records.size === 0) throw notFound(entityNames[type], id);
}

/** A tracking request falls back to the definitions of shipments, as its fields describe the shipment to come. */
async function lockDefinition(
  { customFieldDefinitions }: Services,
  accountId: string,
  type: CustomFieldEntityType,
  apiSlug: string,
): Promise<CustomFieldDefinition | null> {
  const own = await customFieldDefinitions.lockForValue(accountId, type, apiSlug);
  if (own || type !== "TrackingRequest") return own;
  return customFieldDefinitions.lockForValue(accountId, "Shipment", apiSlug);
}

/**
 * Writes a value of an entity, checked against its definition, which is locked until the end of the transaction. Throws
 * `TrackingError` for an unknown entity or definition, and for a value that the definition does not accept.
 */
export async function writeCustomField(
  services: Services,
  accountId: string,
  { entity, apiSlug, value: sent, mode, ifVersions }: WrittenCustomField,
): Promise<CustomField> {
  return services.transaction(accountId, async (_sql, tx) => {
    const { customFields, clock, ids } = tx;
    if (!(await customFields.lockRecord(accountId, entity))) throw notFound(entityNames[entity.type], entity.id);
    const definition = await lockDefinition(tx, accountId, entity.type, apiSlug);
    if (!definition) {
      if (mode === "edit") throw notFound("custom field", apiSlug);
      throw invalidAttribute("api_slug", `${entity.type} has no custom field ${apiSlug}. Define it first.`);
    }
    const sentValue = { definition, value: sent, pointer: attributeSource("value").pointer };
    const [read] = await readValues(tx, accountId, [sentValue]);
    if ("fault" in read) throw new TrackingError([read.fault]);
    const written = { definitionId: definition.id, entity, value: read.value, now: clock.now() };
    const isNew = mode !== "edit" && (await customFields.create(accountId, ids.next(), written));
    if (!isNew && mode === "create") {
      const detail = `The ${entityNames[entity.type]} already has a value for ${apiSlug}.`;
      throw TrackingError.of("duplicate", detail, { source: attributeSource("api_slug") });
    }
    const isChanged = isNew || (await customFields.edit(accountId, written, ifVersions));
    if (isChanged) await customFields.markChanged(accountId, entity);
    const field = requireFound("custom field", apiSlug, await customFields.findOfEntity(accountId, entity, apiSlug));
    checkWritten(isChanged, ifVersions, field);
    return field;
  });
}
