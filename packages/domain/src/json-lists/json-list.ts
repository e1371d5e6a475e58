import { z } from "zod";

/** Several items with different names. */
export const namedItems = <Item extends { readonly name: string }>(item: z.ZodType<Item>) =>
  z.array(item).refine((all) => new Set(all.map(({ name }) => name)).size === all.length, "names must be unique");

/** A text with a JSON array. Issues name the place and never a value, because there are secrets among the values. */
export function jsonList<Items>(list: z.ZodType<Items>) {
  return z.string().transform((text, context): Items => {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      context.addIssue({ code: "custom", message: "is not JSON" });
      return z.NEVER;
    }
    const result = list.safeParse(value);
    if (result.success) return result.data;
    for (const { path, message } of result.error.issues) {
      const place = path.length > 0 ? `at ${path.join(".")}: ` : "";
      context.addIssue({ code: "custom", message: `${place}${message}` });
    }
    return z.NEVER;
  });
}
