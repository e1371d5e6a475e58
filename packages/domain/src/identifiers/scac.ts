const shape = /^[A-Z]{2,4}$/;

/** The shape of a Standard Carrier Alpha Code: two to four capital letters. Does not check that it exists. */
export function isScac(text: string): boolean {
  return shape.test(text);
}
