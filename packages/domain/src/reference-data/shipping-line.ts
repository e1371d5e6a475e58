/** A carrier, and which kinds of number it can be asked for. */
export interface ShippingLine {
  readonly id: string;
  readonly scac: string;
  readonly name: string;
  readonly shortName: string;
  readonly alternativeScacs: readonly string[];
  readonly billOfLadingTrackingSupport: boolean;
  readonly bookingNumberTrackingSupport: boolean;
  readonly containerNumberTrackingSupport: boolean;
  /** The service itself has access to the carrier, so that accounts without a connection of their own are served too. */
  readonly serviceConnected: boolean;
}
