/** Reference data about places. Persistence implements it; calls must be cheap and pure. */
export interface PlaceDirectory {
  /** One UN/LOCODE per port: CNSGH and CNYSA become CNSHA. An unknown code is returned unchanged. */
  canonicalLocode(locode: string): string;
  /** A metro area is an inland place without a port. Null: unknown; the kind then follows from the events there. */
  kindOf(locode: string): "port" | "metro_area" | null;
  /** Null: unknown. */
  nameOf(locode: string): string | null;
}
