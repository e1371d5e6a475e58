/** What happens to a shipment's containers at the terminal of pickup, besides discharge and gate-out. */
export type TerminalScenario =
  /** Customs hold the first container, inspect it for a fee and release it after its last free day. */
  | "customs_hold"
  /** The freight is not paid until two days after the discharge. */
  | "freight_hold"
  /** Congestion: the last free day is postponed by three days. */
  | "last_free_day_moved";
