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
