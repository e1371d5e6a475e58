/** An inland place without a port. */
export interface MetroArea {
  readonly id: string;
  readonly locode: string;
  readonly name: string;
  readonly stateAbbr: string | null;
  readonly countryCode: string;
  readonly timeZone: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
}
