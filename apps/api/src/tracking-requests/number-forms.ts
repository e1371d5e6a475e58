import { compactNumber, normalizeShipmentNumber } from "@svc/domain/identifiers";
import type { CatalogueLine } from "@svc/persistence/reference-data";
import type { Services } from "../services.ts";

/** Every form in which the numbers can be stored, since each line has its own way to write a prefix. */
export function numberForms(numbers: readonly string[], lines: readonly CatalogueLine[]): readonly string[] {
  const forms = numbers.flatMap((number) => [
    compactNumber(number),
    ...lines.map((line) => normalizeShipmentNumber(number, line)),
  ]);
  return [...new Set(forms)];
}

/** The forms that satisfy both parameters, each of which may be absent; undefined when both are. */
export function intersectNumberForms(
  one: readonly string[] | undefined,
  other: readonly string[] | undefined,
  lines: readonly CatalogueLine[],
): readonly string[] | undefined {
  const formLists = [one, other].flatMap((numbers) => (numbers ? [numberForms(numbers, lines)] : []));
  const [first, second] = formLists;
  return first && second ? first.filter((form) => second.includes(form)) : first;
}

/** The line with this SCAC, or with this alternative one. */
export function findLine(scac: string, lines: readonly CatalogueLine[]): CatalogueLine | undefined {
  const code = scac.toUpperCase();
  return lines.find((line) => line.scac === code) ?? lines.find((line) => line.alternativeScacs.includes(code));
}

/** SCACs as records hold them: alternatives lead to their line, unknown ones stay and find nothing. */
export function canonicalScacs(scacs: readonly string[], lines: readonly CatalogueLine[]): readonly string[] {
  return scacs.map((scac) => findLine(scac, lines)?.scac ?? scac.toUpperCase());
}

/** The filters of a list, with the SCACs of carriers as records hold them. */
export async function withCanonicalScacs<Filters extends { readonly carrier?: readonly string[] | undefined }>(
  filters: Filters,
  services: Services,
): Promise<Filters> {
  const { carrier } = filters;
  return carrier ? { ...filters, carrier: canonicalScacs(carrier, await services.shippingLines()) } : filters;
}
