/** What the fold must know about places. Persistence implements it from reference data; calls must be cheap and pure. */
export interface PlaceDirectory {
  /** One UN/LOCODE for each port: CNSGH and CNYSA are CNSHA. An unknown code is its own canonical form. */
  canonicalLocode(locode: string): string;
  /** A metro area is an inland place without a port. Null: the place is not known, and what happens there tells. */
  kindOf(locode: string): "port" | "metro_area" | null;
}
