import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";
import { CarrierConnection, createCarriers, createStoredReplyReader } from "@svc/carriers";
import { deriveShipment, instant, type Observation } from "@svc/domain";
import { verify } from "@svc/replay";
import { eventually, type ServiceProcess, startServiceProcess } from "@svc/testkit";
import { setUpTracking, type TrackingSetup } from "./testing/tracking-setup.ts";

const entry = (app: string) => fileURLToPath(new URL(`../../${app}/src/main.ts`, import.meta.url));

/** All but those whose server fails: what they do to the breaker of the line is the matter of other tests. */
const stories = [
  ...["DIR", "TSP", "TS2", "RAI", "ROL", "DLY", "COR", "DUP", "OOO", "TZM", "CAN"],
  ...["OMT", "SPL", "REU", "SIL", "NFO", "FOW", "ARW", "HLD", "AWM", "NFD"],
];
const runs = Number(process.env.SVC_TEST_KILL_RUNS ?? 3);
const voyageDays = 40;
/** Forty days in eight seconds, if the machine keeps up. */
const scale = 432_000;

/** Numbers from 0 to 1, the same for the same seed. */
function chanceOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

async function turn(sandbox: ServiceProcess, method: string, route: string, body: object): Promise<number> {
  const init = { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const answer = await fetch(`${sandbox.url}/_sandbox/clock${route}`, init);
  return Date.parse(((await answer.json()) as { now: string }).now);
}

/** What the line says in the end, read by the adapter alone. */
async function truthOf(sandbox: ServiceProcess, { context }: TrackingSetup, number: string): Promise<Observation[]> {
  const line = { scac: "SBXL", protocol: "dcsa-2.2", baseUrl: sandbox.url, headers: { "Consumer-Key": "demo" } };
  const carriers = createCarriers([CarrierConnection.parse(line)], { timeZoneOf: context.places.timeZoneOf });
  const reply = await carriers
    .get("SBXL")
    ?.shared?.track({ kind: "bill_of_lading", number }, new AbortController().signal);
  await Promise.all([...carriers.values()].map((carrier) => carrier.close()));
  const observedAt = instant("2100-01-01T00:00:00Z");
  return reply?.outcome === "found" ? reply.drafts.map((draft, n) => ({ ...draft, id: `truth-${n}`, observedAt })) : [];
}

interface Milestone {
  readonly number: string;
  readonly container: string;
  readonly event: string;
  readonly at: string;
  readonly source: string;
}

const liveMilestones = `
  SELECT s.normalized_number AS number, c.number AS container, e.event, e.occurred_at AS at, e.data_source AS source
  FROM transport_events e JOIN containers c ON c.id = e.container_id JOIN shipments s ON s.id = e.shipment_id
  WHERE e.invalidated_at IS NULL ORDER BY 1, 2, 4, 3`;

describe("a tracking worker that is killed at random moments", () => {
  test.each(Array.from({ length: runs }, (_, index) => index + 1))(
    "tells no false milestone, none twice and leaves none out (run %d)",
    async (run) => {
      const random = chanceOf(run * 7_919);
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), "svc-kills-"));
      const sandbox = await startServiceProcess(entry("carrier-sandbox"), {
        ...{ SVC_SANDBOX_DATA_DIR: folder, SVC_SANDBOX_TIME_SCALE: String(scale), LOG_LEVEL: "warn" },
      });
      let nowMs = await turn(sandbox, "PUT", "", { paused: true });
      const clock = { now: () => instant(nowMs), scale: () => 1, advance: () => undefined };
      const setup = await setUpTracking({ clock, carriers: () => createCarriers([]), terminals: new Map() });
      const headers = { "Consumer-Key": "demo" };
      const environment = {
        DATABASE_URL: setup.databaseUrl,
        SVC_CARRIERS: JSON.stringify([{ scac: "SBXL", protocol: "dcsa-2.2", baseUrl: sandbox.url, headers }]),
        SVC_TERMINALS: JSON.stringify([{ code: "SBXT", protocol: "svc-terminal-1", baseUrl: sandbox.url, headers }]),
        SVC_CLOCK_URL: `${sandbox.url}/_sandbox/clock`,
        LOG_LEVEL: "warn",
      };
      const startWorker = () => startServiceProcess(entry("tracking-worker"), environment);
      let worker = await startWorker();
      try {
        await setup.subscribe(["*"]);
        for (const story of stories) await setup.request(`SBX${story}00001${run}`, { scac: "SBXL" });
        const began = nowMs;
        await turn(sandbox, "PUT", "", { paused: false });
        let kills = 0;
        while (nowMs - began < voyageDays * 86_400_000) {
          await sleep(300 + random() * 1_500);
          worker.kill("SIGKILL");
          await worker.exited;
          kills++;
          worker = await startWorker();
          nowMs = await turn(sandbox, "PUT", "", {});
        }
        nowMs = await turn(sandbox, "PUT", "", { paused: true });
        expect(kills).toBeGreaterThan(0);
        const isQuiet = async () => {
          const { open } = await setup.row<{ open: number }>(
            "SELECT count(*)::int AS open FROM tracking_subjects WHERE next_poll_at <= $1 OR lease_until > now()",
            instant(nowMs),
          );
          return open === 0;
        };
        // A clock that ran on until it read that the line's stands still never goes back: this worker has the right time.
        worker.kill("SIGKILL");
        await worker.exited;
        worker = await startWorker();
        const askedOnceMore = async () => {
          await setup.rows(
            "UPDATE tracking_subjects SET next_poll_at = $1 WHERE next_poll_at IS NOT NULL",
            instant(nowMs),
          );
          await setup.rows("SELECT pg_notify('svc_tracking', '')");
          await eventually("nothing is due", isQuiet, 40_000);
        };
        // Twice, and a while apart: what is missing from a reply is believed to be gone half an hour later.
        await askedOnceMore();
        nowMs = await turn(sandbox, "POST", "/advance", { by: "25h" });
        await askedOnceMore();

        const milestones = await setup.rows<Milestone>(liveMilestones);
        expect(milestones.length).toBeGreaterThan(stories.length * 5);
        const keys = milestones.map((one) => JSON.stringify([one.number, one.container, one.event, one.at]));
        expect(new Set(keys).size).toBe(keys.length);

        const read = createStoredReplyReader(
          [CarrierConnection.parse({ scac: "SBXL", protocol: "dcsa-2.2", baseUrl: sandbox.url })],
          setup.context.places.timeZoneOf,
        );
        const differences: object[] = [];
        await verify(setup.database, {}, { read, places: setup.context.places }, (one) => differences.push(one));
        expect(differences).toEqual([]);

        for (const story of stories) {
          const number = `SBX${story}00001${run}`;
          const truth = await truthOf(sandbox, setup, number);
          // The line of NFO has forgotten the number by then, so nothing can be asked of it any more.
          if (truth.length === 0) continue;
          const { failed_reason: failed } = await setup.row<{ failed_reason: string | null }>(
            "SELECT failed_reason FROM tracking_requests WHERE request_number = $1",
            number,
          );
          // Cancelled while no worker lived: then there never is a shipment.
          if (story === "CAN" && failed === "booking_cancelled") continue;
          const isTold = ({ container, at }: Milestone) =>
            truth.some(
              ({ classifier, eventAt, containerNumber }) =>
                classifier === "ACT" && eventAt === at && (containerNumber === null || containerNumber === container),
            );
          const own = milestones.filter((one) => one.number === number);
          const ofLine = own.filter(({ source }) => source === "shipping_line");
          expect([number, ofLine.filter((one) => !isTold(one))]).toEqual([number, []]);
          const isKnown = (container: string, event: string, at: string) =>
            own.some(
              (one) =>
                one.container === container &&
                one.event === event &&
                // A terminal's word on the same move counts before the line's.
                (one.at === at || one.source !== "shipping_line"),
            );
          const missing = deriveShipment(truth, setup.context.places).containers.flatMap((one) =>
            one.events.filter(({ event, occurredAt }) => !isKnown(one.number, event, occurredAt)),
          );
          expect([number, missing]).toEqual([number, []]);
        }
      } finally {
        await worker.stop();
        await setup.close();
        await sandbox.stop();
        fs.rmSync(folder, { recursive: true, force: true });
      }
    },
    150_000,
  );
});
