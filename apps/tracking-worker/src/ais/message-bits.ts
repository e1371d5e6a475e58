/** The bits of a message, six to a character (IEC 61162-1, "armoured" ASCII). */
export class MessageBits {
  readonly #values: Uint8Array;
  readonly length: number;

  private constructor(values: Uint8Array, length: number) {
    this.#values = values;
    this.length = length;
  }

  /** Null when a character is not part of the alphabet. */
  static of(payload: string, fillBits: number): MessageBits | null {
    const values = new Uint8Array(payload.length);
    for (let index = 0; index < payload.length; index++) {
      const code = payload.charCodeAt(index);
      if (code >= 48 && code <= 87) values[index] = code - 48;
      else if (code >= 96 && code <= 119) values[index] = code - 56;
      else return null;
    }
    return new MessageBits(values, payload.length * 6 - fillBits);
  }

  /** An unsigned number of up to 30 bits. Bits beyond the end are 0. */
  unsigned(start: number, bits: number): number {
    let value = 0;
    for (let at = start; at < start + bits; at++) {
      const six = at < this.length ? (this.#values[Math.floor(at / 6)] ?? 0) : 0;
      value = value * 2 + ((six >> (5 - (at % 6))) & 1);
    }
    return value;
  }

  /** A signed number in two's complement. Bits beyond the end are 0. */
  signed(start: number, bits: number): number {
    const value = this.unsigned(start, bits);
    return value >= 2 ** (bits - 1) ? value - 2 ** bits : value;
  }
}
