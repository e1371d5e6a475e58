/** A carrier and the number types it supports. */
export interface ShippingLine {
  readonly id: string;
  readonly scac: string;
  readonly name: string;
  readonly shortName: string;
  readonly alternativeScacs: readonly string[];
  readonly billOfLadingTrackingSupport: boolean;
  readonly bookingNumberTrackingSupport: boolean;
  readonly containerNumberTrackingSupport: boolean;
  /** The service has its own access to the carrier, which serves accounts without a connection. */
  readonly serviceConnected: boolean;
}
