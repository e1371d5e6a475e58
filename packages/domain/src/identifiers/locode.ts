const shape = /^[A-Z]{2}[A-Z2-9]{3}$/;

/** The shape of a UN/LOCODE: country and three letters or digits 2 to 9. Does not check that the code exists. */
export function isLocode(text: string): boolean {
  return shape.test(text);
}
