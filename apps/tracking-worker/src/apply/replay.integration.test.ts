import { beforeAll, describe, expect, test } from "@jest/globals";
import { CarrierConnection, createStoredReplyReader } from "@svc/carriers";
import { loadPlaceDirectory } from "@svc/persistence/reference-data";
import { type Difference, verify } from "@svc/replay";
import { started } from "@svc/testkit/started";
import { startVoyageHarness } from "../testing/voyage-harness.ts";

/** Scenarios with withdrawn, corrected, repeated and imprecise times, an inland leg by rail, and terminal events. */
const stories = ["ROL", "COR", "TZM", "RAI", "HLD"];

describe("replaying scenarios from the stored replies", () => {
  const harness = started(startVoyageHarness);
  beforeAll(async () => {
    for (const story of stories) await harness.track(`SBX${story}000002`);
    await harness.sail(36, 36);
  }, 400_000);

  async function replay(subject?: string) {
    const places = await loadPlaceDirectory(harness.database.sql);
    const line = { scac: "SBXL", protocol: "dcsa-2.2", baseUrl: harness.sandbox.url };
    const read = createStoredReplyReader([CarrierConnection.parse(line)], places);
    const differences: Difference[] = [];
    const filter = subject === undefined ? {} : { subject };
    const total = await verify(harness.database, filter, { read, places }, (difference) =>
      differences.push(difference),
    );
    return { total, differences };
  }

  test("derives exactly the stored state", async () => {
    const { total, differences } = await replay();
    expect(differences).toEqual([]);
    expect(total.shipments).toBe(stories.length);
    expect(total.observations).toBeGreaterThan(200);
    expect(total.notReadAgain).toBe(0);
  });

  test("ignores the notified estimates, which depend on the times of the polls", async () => {
    const known = "(SELECT id FROM shipments WHERE normalized_number = 'SBXRAI000002')";
    await harness.rows(
      `UPDATE shipments SET notified_pod_eta_at = now(), notified_pol_etd_at = now() WHERE id = ${known}`,
    );
    await harness.rows(`UPDATE containers SET notified_ind_eta_at = now() WHERE shipment_id = ${known}`);
    expect((await replay("SBXRAI000002")).differences).toEqual([]);
  });

  test.each([
    [
      "an attribute",
      "UPDATE shipments SET pod_ata_at = pod_ata_at + interval '1 hour' WHERE normalized_number = 'SBXROL000002'",
      "SBXROL000002",
      "podAtaAt",
    ],
    [
      "a container's deadline",
      "UPDATE containers SET pickup_lfd = NULL WHERE shipment_id = (SELECT id FROM shipments WHERE normalized_number = 'SBXHLD000002')",
      "SBXHLD000002",
      "pickupLfd",
    ],
    [
      "the provenance",
      `UPDATE field_facts SET value = '"on_ship"' WHERE field = 'currentStatus' AND superseded_at IS NULL
       AND subject_id IN
        (SELECT c.id FROM containers c JOIN shipments s ON s.id = c.shipment_id
          WHERE s.normalized_number = 'SBXRAI000002')`,
      "SBXRAI000002",
      "fact currentStatus",
    ],
    [
      "the timeline",
      `UPDATE transport_events SET invalidated_at = now() WHERE event = 'vessel_arrived' AND shipment_id =
        (SELECT id FROM shipments WHERE normalized_number = 'SBXCOR000002')`,
      "SBXCOR000002",
      "event vessel_arrived",
    ],
    [
      "an observation that no reply contains",
      `UPDATE observations SET fact = jsonb_set(fact, '{eventAt}', '"2020-01-01T00:00:00.000Z"') WHERE id = (
        SELECT o.id FROM observations o JOIN shipments s ON s.subject_id = o.subject_id
        WHERE s.normalized_number = 'SBXHLD000002' AND o.fact ->> 'code' = 'DEPA' AND o.fact ->> 'classifier' = 'ACT'
        LIMIT 1)`,
      "SBXHLD000002",
      "observation DEPA",
    ],
    [
      "an estimate that is kept",
      `UPDATE eta_samples SET eta_at = eta_at + interval '1 hour' WHERE id = (
        SELECT e.id FROM eta_samples e JOIN shipments s ON s.id = e.shipment_id
        WHERE s.normalized_number = 'SBXRAI000002' ORDER BY e.id LIMIT 1)`,
      "SBXRAI000002",
      "eta_sample",
    ],
  ])("reports %s that was changed, and of no other shipment", async (_what, corrupt, number, attribute) => {
    await harness.rows(corrupt);
    const { differences } = await replay(number);
    expect(differences.map((difference) => difference.attribute)).toContain(attribute);
    expect((await replay("SBXTZM000002")).differences).toEqual([]);
  });

  test.each([
    ["put off", "UPDATE eta_samples SET eta_at = eta_at + interval '1 hour'", { stored: true, recomputed: true }],
    ["closed otherwise", "UPDATE eta_samples SET arrived_at = NULL", { stored: true, recomputed: true }],
    ["of another lane", "UPDATE eta_samples SET port_of_lading_locode = 'USLAX'", { stored: true, recomputed: true }],
    ["of another line", "UPDATE eta_samples SET shipping_line_scac = 'MAEU'", { stored: true, recomputed: true }],
    ["gone", "DELETE FROM eta_samples", { stored: false, recomputed: true }],
    [
      "there twice",
      `INSERT INTO eta_samples SELECT account_id, gen_random_uuid(), shipment_id, shipping_line_scac,
        port_of_lading_locode, port_of_discharge_locode, observed_at, eta_at, arrived_at FROM eta_samples`,
      { stored: true, recomputed: false },
    ],
  ])("reports one sample of an estimate that is %s, and nothing else", async (_how, corrupt, sides) => {
    const number = "SBXTZM000002";
    const [sample] = await harness.rows<{ id: string }>(
      `SELECT e.id FROM eta_samples e JOIN shipments s ON s.id = e.shipment_id WHERE s.normalized_number = $1
       AND e.arrived_at IS NOT NULL ORDER BY e.id LIMIT 1`,
      number,
    );
    const client = await harness.database.pool.connect();
    try {
      await client.query("CREATE TEMPORARY TABLE kept AS SELECT * FROM eta_samples");
      await client.query(`${corrupt} WHERE id = $1`, [sample?.id]);
      const { differences } = await replay(number);
      expect(differences).toHaveLength(1);
      const [{ attribute, subject, stored, recomputed } = {} as Difference] = differences;
      expect({ attribute, subject, stored: stored !== null, recomputed: recomputed !== null }).toEqual({
        attribute: "eta_sample",
        subject: number,
        ...sides,
      });
      expect(stored).not.toEqual(recomputed);
    } finally {
      await client.query("DELETE FROM eta_samples");
      await client.query("INSERT INTO eta_samples SELECT * FROM kept");
      await client.query("DROP TABLE kept");
      client.release();
    }
    expect((await replay(number)).differences).toEqual([]);
  });
});
