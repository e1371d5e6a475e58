/**
 * How responses look (docs/contract/specification.md, Client SDK): `raw` is the JSON:API document, `mapped` a plain
 * camelCase object with ids resolved, `both` an object with the two.
 */
export type Format = "raw" | "mapped" | "both";

export type Formatted<F extends Format, Raw, Mapped> = F extends "raw"
  ? Raw
  : F extends "mapped"
    ? Mapped
    : { readonly raw: Raw; readonly mapped: Mapped };

/** The response in the wanted format; the mapping runs only when it is wanted. */
export function formatted<F extends Format, Raw, Mapped>(
  format: F,
  raw: Raw,
  map: () => Mapped,
): Formatted<F, Raw, Mapped> {
  if (format === "raw") return raw as Formatted<F, Raw, Mapped>;
  const mapped = map();
  return (format === "mapped" ? mapped : { raw, mapped }) as Formatted<F, Raw, Mapped>;
}
