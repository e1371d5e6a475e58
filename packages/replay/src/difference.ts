/** A difference between the stored state and the state recomputed from the stored replies. */
export interface Difference {
  /** The number of the shipment or container. */
  readonly subject: string;
  readonly attribute: string;
  readonly stored: unknown;
  readonly recomputed: unknown;
}
