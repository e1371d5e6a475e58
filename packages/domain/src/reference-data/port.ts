/** A sea or river port. `locode` is its canonical UN/LOCODE; aliases lead to it. */
export interface Port {
  readonly id: string;
  readonly locode: string;
  readonly name: string;
  readonly city: string | null;
  readonly stateAbbr: string | null;
  readonly countryCode: string;
  /** IANA zone; null for a place that only a carrier's reply named. */
  readonly timeZone: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
}
