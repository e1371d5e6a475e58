export const uuidShape = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A UUID of any version, in lower or upper case. */
export function isUuid(text: string): boolean {
  return uuidShape.test(text);
}

export const locodeShape = /^[A-Z]{2}[A-Z2-9]{3}$/;

/** The shape of a UN/LOCODE: country and three letters or digits 2 to 9. Does not check that the code exists. */
export function isLocode(text: string): boolean {
  return locodeShape.test(text);
}

const imoShape = /^\d{7}$/;

/** Seven digits whose last is the check digit: the first six weigh 7 down to 2. Without the prefix "IMO". */
export function isValidImoNumber(text: string): boolean {
  if (!imoShape.test(text)) return false;
  let sum = 0;
  for (let index = 0; index < 6; index++) sum += Number(text.charAt(index)) * (7 - index);
  return sum % 10 === Number(text.charAt(6));
}
