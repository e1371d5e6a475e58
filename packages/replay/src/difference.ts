/** Something that is stored otherwise than it follows from the stored replies. */
export interface Difference {
  /** The number of the shipment, or the container or number that it concerns. */
  readonly subject: string;
  readonly attribute: string;
  readonly stored: unknown;
  readonly recomputed: unknown;
}
