import { landedStatuses } from "@svc/domain/tracking";

const landed = landedStatuses.map((status) => `'${status}'`).join(", ");

/**
 * SQL of when the terminals last had every discharged container of a shipment that is not picked up, the earliest of
 * these times; null: one of them is at no terminal that replies. Looked up only where the carrier reports such
 * containers. The arrival notices of carriers are polled like terminals, but know no containers.
 * @param shipment the columns of its account, id, carrier and progress.
 */
export const terminalsRepliedAt = (shipment: {
  readonly accountId: string;
  readonly id: string;
  readonly scac: string;
  readonly progress: string;
}): string => `CASE WHEN ${shipment.progress} @? '$.containers[*] ? (@.stage == "landed")' THEN (
  SELECT CASE WHEN bool_and(replied.at IS NOT NULL) THEN min(replied.at) END
  FROM containers waiting CROSS JOIN LATERAL (
    SELECT max(t.last_found_at) AS at FROM tracking_subjects t
    WHERE t.account_id = waiting.account_id AND t.number = waiting.id::text AND t.kind = 'terminal_container'
      AND t.scac <> ${shipment.scac}) AS replied
  WHERE waiting.account_id = ${shipment.accountId} AND waiting.shipment_id = ${shipment.id}
    AND waiting.current_status IN (${landed})) END`;

/** `terminalsRepliedAt` of `shipments s` with its polled number, `tracking_subjects t`. */
export const shipmentTerminalsRepliedAt = terminalsRepliedAt({
  accountId: "s.account_id",
  id: "s.id",
  scac: "s.shipping_line_scac",
  progress: "t.progress",
});
