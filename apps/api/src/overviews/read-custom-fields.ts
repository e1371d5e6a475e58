import type { CustomFieldEntityType } from "@svc/domain/custom-fields";
import { customFieldResource } from "@svc/jsonapi/custom-fields";
import type { OverviewCustomField } from "@svc/jsonapi/overviews";
import { texts } from "@svc/jsonapi/query";
import type { Services } from "../services.ts";

export const customFields = {
  ...texts("custom_fields", "", (apiSlug) => apiSlug),
  description:
    "Slugs of custom fields, separated by commas. Each row has their values as `custom_fields`. A slug without a " +
    "definition adds nothing.",
};

/** Those of the slugs that are defined for the records of the list, in the same order. */
export async function findDefinedSlugs(
  { customFieldDefinitions }: Pick<Services, "customFieldDefinitions">,
  accountId: string,
  entityType: CustomFieldEntityType,
  apiSlugs: readonly string[],
): Promise<readonly string[]> {
  const named = apiSlugs.map((apiSlug) => ({ entityType, apiSlug }));
  const definitions = await customFieldDefinitions.findBySlugs(accountId, named);
  const defined = new Set(definitions.map(({ apiSlug }) => apiSlug));
  return apiSlugs.filter((apiSlug) => defined.has(apiSlug));
}

/** The attribute of a row; none where the request names no custom field. */
type CustomFieldsOfRow = (id: string) => { readonly custom_fields?: OverviewCustomField[] };

/** Reads the values of all rows in one statement, and only where the request names custom fields. */
export async function readCustomFields(
  { customFields: repository }: Pick<Services, "customFields">,
  accountId: string,
  rows: readonly { readonly id: string }[],
  apiSlugs: readonly string[] | undefined,
): Promise<CustomFieldsOfRow> {
  if (apiSlugs === undefined) return () => ({});
  const ids = rows.map(({ id }) => id);
  const fields = ids.length === 0 ? [] : await repository.findOfEntities(accountId, ids, apiSlugs);
  const fieldsByRow = Map.groupBy(fields, ({ entityId }) => entityId);
  return (id) => ({
    custom_fields: (fieldsByRow.get(id) ?? []).map((field) => customFieldResource(field, "").attributes),
  });
}
