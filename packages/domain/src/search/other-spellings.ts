import { looksLikeContainerNumber } from "../identifiers/container-number.ts";

const separators = /[\s\p{Pd}\u2212./_#:]+/u;
/** Separators between the parts of references and names, as they are commonly written. */
const written = ["", "-", " ", "/", ".", "_"];
const lettersBeforeDigits = /^(\p{L}+)(\d.*)$/u;

/**
 * The text with other separators between its parts, the same one everywhere: of "PO 7712" and "PO7712" among others
 * "PO-7712". Letters at its beginning and the digits after them are one part or two. Digits are not split: any part of
 * a number would match.
 */
export function otherSpellings(text: string): string[] {
  const parts = text.split(separators).filter((part) => part !== "");
  if (parts.length === 1 && looksLikeContainerNumber(text.toUpperCase())) return [];
  const [first = "", ...rest] = parts;
  const [second = "", ...others] = rest;
  const [, letters, digits] = lettersBeforeDigits.exec(first) ?? [];
  const splits = [
    parts,
    letters && digits ? [letters, digits, ...rest] : [],
    letters === undefined && lettersBeforeDigits.test(first + second) ? [first + second, ...others] : [],
  ];
  const spellings = splits
    .filter((split) => split.length > 1)
    .flatMap((split) => written.map((separator) => split.join(separator)));
  return [...new Set(spellings)].filter((spelling) => spelling !== text);
}
