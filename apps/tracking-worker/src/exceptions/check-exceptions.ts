import { addMs, type Instant } from "@svc/domain";
import { computeDemurrage } from "@svc/domain/demurrage";
import type { PlaceDirectory } from "@svc/domain/derivation";
import {
  connectionAtRisk,
  evaluateRequest,
  evaluateShipment,
  portOfDischargeChange,
  voyageChange,
} from "@svc/domain/exceptions";
import { demurrageContent, exceptionContent } from "@svc/jsonapi/notifications";
import { type Database, isDatabaseUnavailable, type Sql } from "@svc/persistence";
import {
  notifyDemurrage,
  readContainersToCharge,
  readDemurrageRules,
  storeDemurrage,
} from "@svc/persistence/demurrage";
import {
  type CheckedSubject,
  type DueCheck,
  lockDueChecks,
  notifyExceptions,
  readRequestsToCheck,
  readShipmentsToCheck,
  settleChecks,
  writeExceptions,
} from "@svc/persistence/exceptions";
import { createMemberRepository } from "@svc/persistence/members";

/** Bounds a transaction, and how long other accounts wait for this one. */
const checkBatchMax = 50;
/** When a check that failed is made again. */
const postponedMs = 600_000;

export interface ExceptionContext {
  readonly database: Database;
  readonly places: PlaceDirectory;
  readonly clock: { now(): Instant };
  /** Base URL of the API, for the links of notifications. */
  readonly baseUrl: string;
}

interface Changes {
  readonly checked: number;
  readonly opened: number;
  readonly resolved: number;
}

/**
 * Applies the rules to shipments and requests of the account that changed or are due, in one transaction. A change that
 * commits meanwhile makes its check due again. When one of them cannot be checked, each is checked by itself, and those
 * that fail are postponed, so that they hold up no other.
 */
export async function checkExceptions(
  context: ExceptionContext,
  accountId: string,
  onFailure: (error: unknown, subjectId: string) => void,
): Promise<Changes> {
  try {
    return await checkBatch(context, accountId, checkBatchMax);
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
  }
  const sum = { checked: 0, opened: 0, resolved: 0 };
  for (let count = 0; count < checkBatchMax; count++) {
    const { checked, opened, resolved } = await checkNext(context, accountId, onFailure);
    if (checked === 0) break;
    sum.checked += checked;
    sum.opened += opened;
    sum.resolved += resolved;
  }
  return sum;
}

const noChanges: Changes = { checked: 0, opened: 0, resolved: 0 };

function checkBatch(context: ExceptionContext, accountId: string, checksMax: number): Promise<Changes> {
  return context.database.transaction(async (sql) => {
    const now = context.clock.now();
    const checks = await lockDueChecks(sql, accountId, now, checksMax);
    return checks.length === 0 ? noChanges : applyRules(context, sql, accountId, checks, now);
  });
}

/** Checks the subject that is due first, and postpones it under the same lock if that fails. */
function checkNext(
  context: ExceptionContext,
  accountId: string,
  onFailure: (error: unknown, subjectId: string) => void,
): Promise<Changes> {
  return context.database.transaction(async (sql) => {
    const now = context.clock.now();
    const [check] = await lockDueChecks(sql, accountId, now, 1);
    if (!check) return noChanges;
    try {
      return await sql.attempt(() => applyRules(context, sql, accountId, [check], now));
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      onFailure(error, check.subjectId);
      await settleChecks(sql, accountId, [{ ...check, nextCheckAt: addMs(now, postponedMs) }]);
      return { ...noChanges, checked: 1 };
    }
  });
}

async function applyRules(
  { places, baseUrl }: ExceptionContext,
  sql: Sql,
  accountId: string,
  checks: readonly DueCheck[],
  now: Instant,
): Promise<Changes> {
  const shipmentChecks = selectByType(checks, "shipment");
  const charged = await chargeContainers(sql, accountId, shipmentChecks, { baseUrl, now });
  const evaluated = [
    ...(await evaluateShipments(sql, accountId, shipmentChecks, charged, places, now)),
    ...(await evaluateRequests(sql, accountId, selectByType(checks, "tracking_request"), now)),
  ];
  const { openedIds, initialIds, resolvedIds, supersededIds } = await writeExceptions(sql, accountId, evaluated, now);
  await notifyExceptions(sql, accountId, {
    openedIds: openedIds.filter((id) => !initialIds.has(id)),
    resolvedIds,
    supersededIds,
    now,
    members: () => createMemberRepository(sql).list(accountId),
    describe: (exception, records) => exceptionContent(exception, records, { baseUrl, now }).included,
  });
  return { checked: checks.length, opened: openedIds.length, resolved: resolvedIds.length };
}

const selectByType = (checks: readonly DueCheck[], type: DueCheck["subjectType"]): ReadonlyMap<string, DueCheck> =>
  new Map(checks.flatMap((check) => (check.subjectType === type ? [[check.subjectId, check]] : [])));

type ChargedContainer = Awaited<ReturnType<typeof readContainersToCharge>>[number] &
  ReturnType<typeof computeDemurrage>;

/**
 * Applies the demurrage rules of the account, stores what changed and notifies it. What applies when the tracking of a
 * shipment begins is not notified, as its exceptions.
 */
async function chargeContainers(
  sql: Sql,
  accountId: string,
  checks: ReadonlyMap<string, DueCheck>,
  { baseUrl, now }: { readonly baseUrl: string; readonly now: Instant },
): Promise<readonly ChargedContainer[]> {
  const containers = await readContainersToCharge(sql, accountId, [...checks.keys()]);
  if (containers.length === 0) return [];
  const scacs = new Set(containers.map(({ facts }) => facts.carrierScac));
  const rules = await readDemurrageRules(sql, accountId, [...scacs]);
  const charged = containers.map((one) => ({ ...one, ...computeDemurrage(one.facts, rules, now) }));
  const changedIds = new Set(await storeDemurrage(sql, accountId, charged, now));
  const chargesByContainer = new Map(charged.map((one) => [one.containerId, one.charges]));
  await notifyDemurrage(sql, accountId, {
    containerIds: charged.flatMap(({ containerId, shipmentId }) =>
      changedIds.has(containerId) && !checks.get(shipmentId)?.isNew ? containerId : [],
    ),
    now,
    describe: (container, links, shipment) =>
      demurrageContent({ charges: chargesByContainer.get(container.id) ?? [], container, links, shipment }, baseUrl)
        .included,
  });
  return charged;
}

async function evaluateShipments(
  sql: Sql,
  accountId: string,
  checks: ReadonlyMap<string, DueCheck>,
  charged: readonly ChargedContainer[],
  places: PlaceDirectory,
  now: Instant,
): Promise<CheckedSubject[]> {
  const shipments = await readShipmentsToCheck(sql, accountId, [...checks.keys()]);
  const chargesByContainer = new Map(charged.map(({ containerId, charges }) => [containerId, charges]));
  const chargedByShipment = Map.groupBy(charged, ({ shipmentId }) => shipmentId);
  return shipments.map(({ id, facts, portsOfDischarge, vesselMoves }) => {
    const containers = facts.containers.map((one) => ({ ...one, charges: chargesByContainer.get(one.id) ?? [] }));
    const changes = {
      voyageChange: voyageChange(vesselMoves, places),
      connectionAtRisk: connectionAtRisk(vesselMoves, places),
      portOfDischargeChange: portOfDischargeChange(portsOfDischarge, vesselMoves, places),
    };
    const { found, nextCheckAt } = evaluateShipment({ ...facts, ...changes, containers }, now);
    const times = [nextCheckAt, ...(chargedByShipment.get(id) ?? []).map(({ nextChangeAt }) => nextChangeAt)];
    return {
      subjectId: id,
      subjectType: "shipment",
      isNew: checks.get(id)?.isNew ?? false,
      found,
      nextCheckAt: times.filter((at) => at !== null).toSorted()[0] ?? null,
      resolution: facts.stoppedAt === null ? "cleared" : "tracking_stopped",
    };
  });
}

async function evaluateRequests(
  sql: Sql,
  accountId: string,
  checks: ReadonlyMap<string, DueCheck>,
  now: Instant,
): Promise<CheckedSubject[]> {
  const requests = await readRequestsToCheck(sql, accountId, [...checks.keys()]);
  return requests.map(({ id, ...facts }) => {
    const { found, nextCheckAt } = evaluateRequest(facts, now);
    return { subjectId: id, subjectType: "tracking_request", isNew: false, found, nextCheckAt, resolution: "cleared" };
  });
}
