/** What happens to a shipment's boxes at the terminal that hands them over, besides waiting and being fetched. */
export type TerminalStory =
  /** Customs hold the first box, inspect it for a fee and release it after its last free day. */
  | "customs_hold"
  /** The line's freight is not paid until two days after the discharge. */
  | "freight_hold"
  /** Congestion: the last free day is put off by three days. */
  | "last_free_day_moved";
