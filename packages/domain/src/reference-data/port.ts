/** A sea or river port. `locode` is its canonical UN/LOCODE, to which aliases resolve. */
export interface Port {
  readonly id: string;
  readonly locode: string;
  readonly name: string;
  readonly city: string | null;
  readonly stateAbbr: string | null;
  readonly countryCode: string;
  /** IANA time zone; null for a port known only from carrier replies. */
  readonly timeZone: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  /** Its terminals, also those for rail; not those that only one account reported. At most 100. */
  readonly terminalIds: readonly string[];
}
