import { canonicalJson } from "@svc/domain";
import { computeDemurrage } from "@svc/domain/demurrage";
import type { Sql } from "@svc/persistence";
import { hasPendingDemurrage, readContainersToCharge, readDemurrageRules } from "@svc/persistence/demurrage";
import type { ReplayShipment } from "@svc/persistence/replay";
import type { Difference } from "./difference.ts";

/**
 * Computes the charges of the containers again, as of the time at which they were stored. Not compared while a check of
 * the shipment or a changed rule is pending, which will compute them.
 */
export async function demurrageDifferences(sql: Sql, { accountId, id }: ReplayShipment): Promise<Difference[]> {
  if (await hasPendingDemurrage(sql, accountId, id)) return [];
  const containers = await readContainersToCharge(sql, accountId, [id]);
  const scacs = new Set(containers.map(({ facts }) => facts.carrierScac));
  const rules = containers.length === 0 ? [] : await readDemurrageRules(sql, accountId, [...scacs]);
  return containers.flatMap(({ number, facts, stored, storedAt }) => {
    if (storedAt === null) return [];
    const { charges } = computeDemurrage(facts, rules, storedAt);
    const recomputed = charges.map(({ days: _days, ...summary }) => summary);
    if (canonicalJson(stored) === canonicalJson(recomputed)) return [];
    return [{ subject: number, attribute: "demurrage", stored, recomputed }];
  });
}
