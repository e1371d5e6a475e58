import { beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { hourMs } from "@svc/domain";
import { type EtaChangeCause, etaChangeCauseText } from "@svc/domain/eta-changes";
import { started } from "@svc/testkit/started";
import { vesselMove, voyage } from "../testing/dcsa-carrier.ts";
import { createExceptionHarness } from "../testing/exception-harness.ts";
import { pollAgain } from "../testing/tracked-number.ts";
import { setUpTracking } from "../testing/tracking-setup.ts";
import { startVoyageHarness } from "../testing/voyage-harness.ts";

describe("a changed ETA of a carrier", () => {
  const setup = started(setUpTracking);
  const harness = started(() => createExceptionHarness(setup));
  beforeEach(() => setup.reset());

  const causesOf = async (shipmentId: string): Promise<(EtaChangeCause | null)[]> => {
    const facts = await setup.rows<{ cause: EtaChangeCause | null }>(
      "SELECT cause FROM field_facts WHERE subject_id = $1 AND field = 'podEtaAt' ORDER BY valid_from",
      shipmentId,
    );
    return facts.map(({ cause }) => cause);
  };

  test("is stored with its cause, and the exception of the delay repeats it", async () => {
    const { accountId, shipmentId } = await harness.trackVoyage("CAUSE1");
    setup.clock.advance(hourMs);
    // Events are created in order, and the newest report of a call counts.
    const events = [...voyage(), vesselMove("ARRI", "NLRTM", "2026-02-05T06:00:00+01:00", "EST")];
    setup.line.answer("CAUSE1", events);
    await pollAgain(setup, "CAUSE1");
    setup.clock.advance(hourMs);
    const last = vesselMove("ARRI", "NLRTM", "2026-02-05T09:00:00+01:00", "EST");
    setup.line.answer("CAUSE1", [...events, last]);
    await pollAgain(setup, "CAUSE1");
    const causes = await causesOf(shipmentId);
    expect(causes[0]).toBeNull();
    expect(causes.slice(1).map((cause) => cause?.kind)).toEqual(["source_revision", "source_revision"]);
    await harness.check(accountId);
    const delay = (await harness.exceptionsOf(accountId)).find(({ kind }) => kind === "eta_delay");
    expect(delay?.details.etaChangeCause).toBeUndefined();
  });
});

describe("the scenarios of the sandbox", () => {
  const expected = { TSP: "missed_transshipment", ROL: "rollover", OMT: "port_of_discharge_changed" } as const;

  const harness = started(startVoyageHarness);
  beforeAll(async () => {
    for (const story of Object.keys(expected)) await harness.track(`SBX${story}000003`);
    await harness.sail(34, 24);
  }, 120_000);

  test.each(Object.entries(expected))("%s changes the ETA by a %s", async (story, kind) => {
    const facts = await harness.rows<{ cause: EtaChangeCause | null }>(
      `SELECT f.cause FROM field_facts f JOIN shipments s ON s.id = f.subject_id
        WHERE s.normalized_number = $1 AND f.field = 'podEtaAt' ORDER BY f.valid_from`,
      `SBX${story}000003`,
    );
    const causes = facts.flatMap(({ cause }) => cause ?? []);
    expect(causes).toHaveLength(facts.length - 1);
    expect(causes.map((cause) => cause.kind)).toContain(kind);
    for (const cause of causes) expect(etaChangeCauseText(cause)).not.toMatch(/undefined|null|unknown/);
  });
});
