const shape = /^\d{7}$/;

/** Seven digits whose last is the check digit: the first six weigh 7 down to 2. Without the prefix "IMO". */
export function isValidImoNumber(text: string): boolean {
  if (!shape.test(text)) return false;
  let sum = 0;
  for (let index = 0; index < 6; index++) sum += Number(text.charAt(index)) * (7 - index);
  return sum % 10 === Number(text.charAt(6));
}
