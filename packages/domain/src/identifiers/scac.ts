const shape = /^[A-Z]{2,4}$/;

/** The shape of a Standard Carrier Alpha Code: two to four capital letters. Says nothing about its existence. */
export function isScac(text: string): boolean {
  return shape.test(text);
}
