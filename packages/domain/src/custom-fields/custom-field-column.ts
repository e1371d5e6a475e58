const prefix = "custom_fields.";
const columnShape = /^custom_fields\.([a-z][a-z0-9_]{0,62})$/;

/** The name of a custom field's column in lists, saved views and files: `custom_fields.cost_centre`. */
export const customFieldColumn = (apiSlug: string): string => `${prefix}${apiSlug}`;

/** The slug of the custom field that a column shows. Null: the column is of no custom field. */
export const customFieldSlug = (column: string): string | null => columnShape.exec(column)?.[1] ?? null;
