const shape = /^[A-Z]{3}[UJZ]\d{7}$/;

/** ISO 6346: letters have the values from 10, without 11, 22 and 33. */
const letterValues: ReadonlyMap<string, number> = new Map(
  [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].map((letter, index) => [letter, 10 + index + Math.ceil(index / 10)] as const),
);

/** Upper case, without spaces, dashes, dots and slashes: the form in which container numbers are compared. */
export function normalizeContainerNumber(text: string): string {
  return text
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[\s\-./_]/g, "");
}

/** The check digit for the first ten characters, for example `containerCheckDigit("CSQU305438")` is 3. */
export function containerCheckDigit(firstTen: string): number {
  let sum = 0;
  for (let index = 0; index < 10; index++) {
    const character = firstTen.charAt(index);
    sum += (letterValues.get(character) ?? Number(character)) * 2 ** index;
  }
  return (sum % 11) % 10;
}

/** Four letters (the last U, J or Z) and seven digits, whether or not the check digit is right. */
export function looksLikeContainerNumber(number: string): boolean {
  return shape.test(number);
}

/** Checks shape and check digit. Containers with wrong digits exist: use this to warn, not to reject. */
export function isValidContainerNumber(number: string): boolean {
  return shape.test(number) && containerCheckDigit(number) === Number(number.charAt(10));
}
