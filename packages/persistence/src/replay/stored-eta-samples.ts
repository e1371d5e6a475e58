import type { Instant } from "@svc/domain";
import type { Sql, Statement } from "../sql.ts";

/** A stored estimate of an arrival, for the ETA accuracy of the shipping line; places by their UN/LOCODE. */
export interface StoredEtaSample {
  readonly scac: string;
  readonly from: string | null;
  readonly to: string;
  readonly observedAt: Instant;
  readonly etaAt: Instant;
  /** Null when it has not arrived, or arrived at another port. */
  readonly arrivedAt: Instant | null;
}

const samples: Statement = {
  name: "replay.eta-samples",
  text: `
    SELECT shipping_line_scac AS scac, port_of_lading_locode AS "from", port_of_discharge_locode AS "to",
      observed_at AS "observedAt", eta_at AS "etaAt", arrived_at AS "arrivedAt"
    FROM eta_samples WHERE account_id = $1 AND shipment_id = $2 ORDER BY observed_at, id`,
};

/** The samples of a shipment, in order of receipt. */
export function findEtaSamples(sql: Sql, accountId: string, shipmentId: string): Promise<StoredEtaSample[]> {
  return sql.rows<StoredEtaSample>(samples, [accountId, shipmentId]);
}
