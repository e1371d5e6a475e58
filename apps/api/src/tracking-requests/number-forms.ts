import { compactNumber, normalizeShipmentNumber } from "@svc/domain";
import type { CatalogueLine } from "@svc/persistence";

/** Every form in which the numbers can be stored, since each line has its own way to write a prefix. */
export function numberForms(numbers: readonly string[], lines: readonly CatalogueLine[]): readonly string[] {
  const forms = numbers.flatMap((number) => [
    compactNumber(number),
    ...lines.map((line) => normalizeShipmentNumber(number, line)),
  ]);
  return [...new Set(forms)];
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
