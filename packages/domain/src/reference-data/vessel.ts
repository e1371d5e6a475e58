export interface Vessel {
  readonly id: string;
  readonly name: string;
  readonly imo: string | null;
  readonly mmsi: string | null;
}
