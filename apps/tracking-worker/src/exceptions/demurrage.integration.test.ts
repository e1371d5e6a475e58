import { beforeEach, describe, expect, test } from "@jest/globals";
import { CarrierConnection, createStoredReplyReader } from "@svc/carriers";
import { addMs, dayMs, type Instant, instant } from "@svc/domain";
import { demurrageSettings } from "@svc/domain/demurrage";
import { uuidV7 } from "@svc/persistence";
import { continueRecomputation, createDemurrageRuleRepository } from "@svc/persistence/demurrage";
import { loadPlaceDirectory } from "@svc/persistence/reference-data";
import { type Difference, verify } from "@svc/replay";
import { started } from "@svc/testkit/started";
import { createExceptionHarness } from "../testing/exception-harness.ts";
import { setUpTracking } from "../testing/tracking-setup.ts";

const setup = started(setUpTracking);
const harness = started(() => createExceptionHarness(setup));
beforeEach(() => setup.reset());

const addRule = (accountId: string, changes: Parameters<typeof demurrageSettings>[0] = {}) =>
  setup.database.transaction(async (sql) => {
    const tiers = [
      { fromDay: 1, amountPerDay: "75.10" },
      { fromDay: 2, amountPerDay: "150.20" },
    ];
    const terms = { name: "Line tariff", freeDays: 2, currencyCode: "USD", tiers };
    const rule = { ...demurrageSettings({ ...terms, ...changes }, null), id: uuidV7.next() };
    const created = await createDemurrageRuleRepository(sql).create(accountId, rule, 500);
    if (created === "limit_reached") throw new Error("limit");
    return created;
  });

const recompute = async (batchSize = 500): Promise<number> => {
  let batches = 0;
  while (await continueRecomputation(setup.database, batchSize)) batches++;
  return batches;
};

interface Stored {
  readonly status: string;
  readonly amount: string;
  readonly lastFreeDay: string | null;
}
const stored = async (accountId: string): Promise<Stored[]> =>
  (
    await setup.rows<{ charges: Stored[] }>("SELECT charges FROM container_demurrage WHERE account_id = $1", accountId)
  ).flatMap(({ charges }) => charges);

/** Noon in UTC, so many days ago. */
const daysAgo = (days: number): Instant => instant(`${addMs(setup.clock.now(), -days * dayMs).slice(0, 10)}T12:00:00Z`);
const discharged = (days: number) => `pod_discharged_at = '${daysAgo(days)}'`;

describe("demurrage by rules", () => {
  test("a rule is applied in the background, and the exception has its price", async () => {
    const { accountId, containerId } = await harness.trackVoyage("DEM01");
    await harness.setContainer(containerId, discharged(5));
    await harness.check(accountId);
    expect(await stored(accountId)).toEqual([]);
    await addRule(accountId);
    await recompute();
    await harness.check(accountId);
    expect(await stored(accountId)).toMatchObject([{ status: "charged", amount: expect.stringMatching(/^\d+\.\d0$/) }]);
    const [{ lastFreeDay } = { lastFreeDay: null }] = await stored(accountId);
    const listedDaySql = "SELECT last_free_day::text AS day FROM container_demurrage WHERE account_id = $1";
    expect(await setup.rows(listedDaySql, accountId)).toEqual([{ day: lastFreeDay }]);
    const [over] = (await harness.exceptionsOf(accountId)).filter(({ kind }) => kind === "last_free_day_over");
    const [{ amount = "" } = {}] = await stored(accountId);
    expect(over?.details).toMatchObject({
      amounts: [{ amount: Number(amount), currencyCode: "USD" }],
      perDay: { amount: 150.2, currencyCode: "USD" },
      reportedLastFreeDay: null,
    });
  });

  test("each local day adds its amount at midnight, and the pickup ends it", async () => {
    const { accountId, containerId } = await harness.trackVoyage("DEM02");
    await addRule(accountId);
    await harness.setContainer(containerId, discharged(4));
    await harness.check(accountId);
    const [before] = await stored(accountId);
    setup.clock.advance(dayMs);
    await harness.check(accountId);
    const [after] = await stored(accountId);
    expect(Number(after?.amount) - Number(before?.amount)).toBeCloseTo(150.2, 6);
    await harness.setContainer(containerId, `pod_full_out_at = '${setup.clock.now()}'`);
    await harness.check(accountId);
    setup.clock.advance(5 * dayMs);
    await harness.check(accountId);
    expect(await stored(accountId)).toMatchObject([{ status: "ended", amount: after?.amount }]);
  });

  test("a change is notified once to webhooks that name the event, not to others", async () => {
    const { accountId, containerId } = await harness.trackVoyage("DEM03");
    await setup.subscribe(["*", "container.*"], accountId);
    await addRule(accountId);
    await harness.setContainer(containerId, discharged(1));
    await harness.check(accountId);
    const sent = () =>
      setup.rows<{ reference_type: string; reference_id: string; included: string }>(
        "SELECT reference_type, reference_id, included FROM notification_events WHERE account_id = $1 AND event = $2 ORDER BY id",
        accountId,
        "container.demurrage.changed",
      );
    expect(await sent()).toEqual([]);
    await setup.subscribe(["container.demurrage.changed"], accountId);
    setup.clock.advance(3 * dayMs);
    await harness.check(accountId);
    await harness.check(accountId);
    const events = await sent();
    expect(events).toMatchObject([{ reference_type: "container_demurrage", reference_id: containerId }]);
    const included = JSON.parse(events[0]?.included ?? "[]");
    expect(included.map(({ type }: { type: string }) => type)).toEqual([
      "container_demurrage",
      "container",
      "shipment",
    ]);
    expect(included[0].attributes.charges[0]).toMatchObject({ status: "charged", free_days_used: 2 });
    expect(included[0].attributes.charges[0].days.length).toBeGreaterThan(2);
  });

  test("an edited and a deleted rule are applied in batches; those of another carrier change nothing", async () => {
    const { accountId, containerId } = await harness.trackVoyage("DEM04");
    await harness.setContainer(containerId, discharged(5));
    const rule = await addRule(accountId);
    await addRule(accountId, { carrierScac: "CMDU", tiers: [{ fromDay: 1, amountPerDay: "1" }] });
    expect(await recompute(1)).toBeGreaterThan(2);
    await harness.check(accountId);
    const edit = { ...rule, freeDays: 30 };
    await setup.database.transaction((sql) => createDemurrageRuleRepository(sql).edit(accountId, rule, edit));
    await recompute(1);
    await harness.check(accountId);
    expect(await stored(accountId)).toMatchObject([{ status: "free", amount: "0.00" }]);
    await setup.database.transaction((sql) => createDemurrageRuleRepository(sql).delete(accountId, rule.id, null));
    await recompute(1);
    await harness.check(accountId);
    expect(await stored(accountId)).toEqual([]);
  });

  test("with a detention rule the return is due on its last free day, with its price", async () => {
    const { accountId, containerId } = await harness.trackVoyage("DEM05");
    await addRule(accountId, { kind: "detention", countingStart: "full_out", freeDays: 6 });
    await harness.setContainer(containerId, `pod_full_out_at = '${daysAgo(5)}'`);
    await harness.check(accountId);
    const notReturned = async () =>
      (await harness.exceptionsOf(accountId))
        .filter(({ kind }) => kind === "not_returned")
        .map(({ details }) => details);
    expect(await notReturned()).toEqual([]);
    setup.clock.advance(3 * dayMs);
    await harness.check(accountId);
    expect(await notReturned()).toMatchObject([{ amounts: [{ currencyCode: "USD" }], lastFreeDay: expect.anything() }]);
  });

  test("replay finds charges that do not follow from the container and the rules", async () => {
    const { accountId, containerId } = await harness.trackVoyage("DEM08");
    await addRule(accountId);
    await harness.setContainer(containerId, discharged(5));
    await recompute();
    await harness.check(accountId);
    const places = await loadPlaceDirectory(setup.database.sql);
    const line = CarrierConnection.parse({ scac: "MAEU", protocol: "dcsa-2.2", baseUrl: setup.line.baseUrl });
    const read = createStoredReplyReader([line], places);
    const differences = async () => {
      const found: Difference[] = [];
      await verify(setup.database, { subject: "DEM08" }, { read, places }, (one) => found.push(one));
      return found.filter(({ attribute }) => attribute === "demurrage");
    };
    expect(await differences()).toEqual([]);
    await setup.rows("UPDATE container_demurrage SET charges = '[]' WHERE account_id = $1", accountId);
    expect(await differences()).toMatchObject([{ stored: [], recomputed: [{ status: "charged" }] }]);
    await addRule(accountId, { freeDays: 9 });
    expect(await differences()).toEqual([]);
  });

  test("rules of an account are applied to its own containers only", async () => {
    const ownVoyage = await harness.trackVoyage("DEM06");
    const other = await harness.trackVoyage("DEM07");
    for (const { containerId } of [ownVoyage, other]) await harness.setContainer(containerId, discharged(5));
    await addRule(ownVoyage.accountId);
    await recompute();
    await harness.check(ownVoyage.accountId);
    await harness.check(other.accountId);
    expect(await stored(ownVoyage.accountId)).toHaveLength(1);
    expect(await stored(other.accountId)).toEqual([]);
  });
});
