const shape = /^[A-Z]{2}[A-Z2-9]{3}$/;

/** The shape of a UN/LOCODE: a country and three characters, of digits only 2 to 9. Says nothing about its existence. */
export function isLocode(text: string): boolean {
  return shape.test(text);
}
