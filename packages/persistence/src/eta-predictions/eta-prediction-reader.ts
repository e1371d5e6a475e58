import type { Instant } from "@svc/domain";
import type { PredictedArrival, PredictionAccuracy } from "@svc/domain/eta-predictions";
import { type AccountSql, firstRow, type Statement } from "../sql.ts";
import { predictionAccuracy } from "./prediction-accuracy-sql.ts";

/** The newest prediction of a shipment, and the accuracy of earlier ones on its lane. */
export interface ShipmentPrediction extends PredictedArrival {
  readonly predictedAt: Instant;
  readonly portOfDischargeLocode: string;
  /** Null: no shipment with a prediction has arrived on the lane yet. */
  readonly byLeadTime: readonly PredictionAccuracy[] | null;
}

const newest: Statement = {
  name: "eta-predictions.newest",
  text: `
    SELECT n.eta_at AS "etaAt", n.earliest_at AS "earliestAt", n.latest_at AS "latestAt", n.position_at AS "positionAt",
      n.distance_left_nm AS "distanceLeftNm", n.speed_knots AS "speedKnots", n.predicted_at AS "predictedAt",
      n.port_of_discharge_locode AS "portOfDischargeLocode",
      ${predictionAccuracy({
        scac: "n.shipping_line_scac",
        from: "n.port_of_lading_locode",
        to: "n.port_of_discharge_locode",
      })} AS "byLeadTime"
    FROM (SELECT * FROM eta_predictions WHERE account_id = $1 AND shipment_id = $2
      ORDER BY predicted_at DESC LIMIT 1) AS n`,
};

/** Null: the shipment has none. */
export function findPrediction(
  sql: AccountSql,
  accountId: string,
  shipmentId: string,
): Promise<ShipmentPrediction | null> {
  return firstRow(sql.rows<ShipmentPrediction>(newest, [accountId, shipmentId]));
}
