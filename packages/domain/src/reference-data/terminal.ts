export const terminalKinds = ["terminal", "rail_terminal"] as const;
export type TerminalKind = (typeof terminalKinds)[number];

/** A facility of a port, or a rail ramp of a port or an inland place. */
export interface Terminal {
  readonly id: string;
  readonly kind: TerminalKind;
  readonly portId: string | null;
  readonly metroAreaId: string | null;
  readonly name: string;
  readonly nickname: string | null;
  readonly firmsCode: string | null;
  readonly smdgCode: string | null;
  readonly bicFacilityCode: string | null;
  readonly street: string | null;
  readonly city: string | null;
  /** Full name of the state or province; `stateAbbr` is its ISO 3166-2 code without the country. */
  readonly state: string | null;
  readonly stateAbbr: string | null;
  readonly zip: string | null;
  readonly country: string | null;
}
