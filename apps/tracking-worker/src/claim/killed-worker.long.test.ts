import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";
import { CarrierConnection, createCarriers, createStoredReplyReader } from "@svc/carriers";
import { instant } from "@svc/domain";
import { deriveShipment } from "@svc/domain/derivation";
import type { Observation } from "@svc/domain/observations";
import { verify } from "@svc/replay";
import { eventually, type ServiceProcess, startServiceProcess } from "@svc/testkit";
import { setUpTracking, type TrackingSetup } from "../testing/tracking-setup.ts";

const entry = (app: string) => fileURLToPath(new URL(`../../../${app}/src/main.ts`, import.meta.url));

/** Every scenario of the sandbox. A failing server affects all numbers of the carrier. */
const stories = [
  "DIR",
  "TSP",
  "TS2",
  "RAI",
  "ROL",
  "DLY",
  "COR",
  "DUP",
  "OOO",
  "TZM",
  "CAN",
  "OMT",
  "SPL",
  "REU",
  "SIL",
  "NFO",
  "FOW",
  "ARW",
  "HLD",
  "AWM",
  "NFD",
  "ERR",
  "RTL",
  "SLW",
  "PAG",
];
/** The carrier does not know their numbers, or no longer. */
const unknownInTheEnd: ReadonlySet<string> = new Set(["NFO", "NFD"]);
const runs = Number(process.env.SVC_TEST_KILL_RUNS ?? 3);
/** A day each: a clock that advances in steps gives a slow machine the same work as a fast one. */
const steps = 40;
/** The steps at which the worker is killed, and how long it runs in one before. */
const killedShare = 0.2;
const lifeMaxMs = 400;
/** A carrier that throttles is paused for a minute of real time: so many minutes of its clock. */
const scale = 7_200;
/** One of the servers takes twenty seconds to reply: longer than this timeout. */
const timeoutMs = 5_000;
/** Simulated time longer than the pause of a carrier that failed. */
const recovery = "20m";

/** Numbers from 0 to 1, the same for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

async function setClock(sandbox: ServiceProcess, method: string, route: string, body: object): Promise<number> {
  const init = { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(`${sandbox.url}/_sandbox/clock${route}`, init);
  return Date.parse(((await response.json()) as { now: string }).now);
}

const connectionTo = (sandbox: ServiceProcess) => ({
  scac: "SBXL",
  protocol: "dcsa-2.2",
  baseUrl: sandbox.url,
  headers: { "Consumer-Key": "demo" },
  timeoutMs,
});

/** The final state of the carrier, read by the adapter alone and retried until it replies. */
async function expectedObservations(
  sandbox: ServiceProcess,
  { context }: TrackingSetup,
  number: string,
): Promise<Observation[]> {
  const connection = CarrierConnection.parse(connectionTo(sandbox));
  const carriers = createCarriers([connection], { timeZoneOf: context.places.timeZoneOf });
  const line = carriers.get("SBXL")?.shared;
  const question = { kind: "bill_of_lading", number } as const;
  const reply = await eventually(`the line's word on ${number}`, async () => {
    const result = await line?.track(question, new AbortController().signal);
    return result?.outcome === "found" || result?.outcome === "not_found" ? result : null;
  });
  await Promise.all([...carriers.values()].map((carrier) => carrier.close()));
  const observedAt = instant("2100-01-01T00:00:00Z");
  return reply.outcome === "found" ? reply.drafts.map((draft, n) => ({ ...draft, id: `truth-${n}`, observedAt })) : [];
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

/** Selects, for the message about a missing milestone, whether the carrier was polled and whether tracking stopped. */
const pollStateSql = `
  SELECT t.next_poll_at, t.last_succeeded_at, t.last_changed_at, t.lease_until, s.line_tracking_stopped_reason,
    (SELECT count(*)::int FROM raw_replies r WHERE r.subject_id = t.id) AS replies
  FROM tracking_subjects t LEFT JOIN shipments s ON s.account_id = t.account_id AND s.normalized_number = t.number
  WHERE t.number = $1 AND t.kind = 'bill_of_lading'`;

describe("a tracking worker that is killed at random moments", () => {
  test.each(Array.from({ length: runs }, (_, index) => index + 1))(
    "records no false, duplicate or missing milestone (run %d)",
    async (run) => {
      const random = createRandom(run * 7_919);
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), "svc-kills-"));
      const sandbox = await startServiceProcess(entry("carrier-sandbox"), {
        SVC_SANDBOX_DATA_DIR: folder,
        SVC_SANDBOX_TIME_SCALE: String(scale),
        LOG_LEVEL: "warn",
      });
      let nowMs = await setClock(sandbox, "PUT", "", { paused: true });
      const clock = { now: () => instant(nowMs), scale: () => 1, advance: () => undefined };
      const setup = await setUpTracking({ clock, carriers: () => createCarriers([]), terminals: new Map() });
      const headers = { "Consumer-Key": "demo" };
      const environment = {
        DATABASE_URL: setup.databaseUrl,
        SVC_CARRIERS: JSON.stringify([connectionTo(sandbox)]),
        SVC_TERMINALS: JSON.stringify([{ code: "SBXT", protocol: "svc-terminal-1", baseUrl: sandbox.url, headers }]),
        SVC_CLOCK_URL: `${sandbox.url}/_sandbox/clock`,
        // Days pass without a worker or during a pause of the carrier: no request fails because of that.
        SVC_TRACKING_RETRY_LIMIT: "1000",
        SVC_TRACKING_MANIFEST_DAYS: "365",
        LOG_LEVEL: "warn",
      };
      const startWorker = () => startServiceProcess(entry("tracking-worker"), environment);
      let worker = await startWorker();
      try {
        await setup.subscribe(["*"]);
        for (const story of stories) await setup.request(`SBX${story}00001${run}`, { scac: "SBXL" });
        const killAndReplace = async () => {
          worker.kill("SIGKILL");
          await worker.exited;
          worker = await startWorker();
        };
        // Claims of a dead worker wait until its lease or its probe expires, while the voyages continue.
        const isResumed = async () => {
          const { open } = await setup.row<{ open: number }>(
            `SELECT count(*)::int AS open FROM tracking_subjects WHERE next_poll_at <= $1
             AND (lease_until IS NULL OR lease_until <= now())
             AND NOT EXISTS (SELECT FROM carrier_access WHERE open_until > $1 OR probe_until > now())`,
            instant(nowMs),
          );
          return open === 0;
        };
        let kills = 0;
        for (let step = 0; step < steps; step++) {
          if (random() < killedShare) {
            await sleep(random() * lifeMaxMs);
            await killAndReplace();
            kills++;
          } else await eventually("what is due is taken up", isResumed, 180_000);
          nowMs = await setClock(sandbox, "POST", "/advance", { by: "24h" });
        }
        expect(kills).toBeGreaterThan(5);
        const state = () =>
          setup.row<{ underWay: number; due: number; isLeftAlone: boolean }>(
            `SELECT count(*) FILTER (WHERE lease_until > now())::int AS "underWay",
               count(*) FILTER (WHERE next_poll_at <= $1)::int AS due,
               EXISTS (SELECT FROM carrier_access WHERE open_until > $1) AS "isLeftAlone" FROM tracking_subjects`,
            instant(nowMs),
          );
        const isQuiet = async () => {
          const { underWay, due, isLeftAlone } = await state();
          return underWay === 0 && (due === 0 || isLeftAlone);
        };
        const unanswered = "next_poll_at IS NOT NULL AND (last_succeeded_at IS NULL OR last_succeeded_at < $1)";
        // With a carrier that fails, throttles or is too slow: polls until each subject got a reply at the current
        // time.
        const pollAllAgain = async () => {
          for (let round = 0; ; round++) {
            // On a stopped clock, the pause of a carrier would never end.
            if ((await state()).isLeftAlone) nowMs = await setClock(sandbox, "POST", "/advance", { by: recovery });
            const find = `SELECT number FROM tracking_subjects WHERE ${unanswered}`;
            const waiting = await setup.rows<{ number: string }>(find, instant(nowMs));
            if (waiting.length === 0) return;
            if (round === 20) expect(waiting).toEqual([]);
            // Claimed subjects are left to their worker.
            const scheduleNextPoll = `UPDATE tracking_subjects SET next_poll_at = $1 WHERE id IN (
              SELECT id FROM tracking_subjects WHERE ${unanswered} FOR UPDATE SKIP LOCKED)`;
            await setup.rows(scheduleNextPoll, instant(nowMs));
            await setup.rows("SELECT pg_notify('svc_tracking', '')");
            // The probe of a dead worker expires after up to two and a half minutes.
            await eventually("nothing is due", isQuiet, 180_000);
          }
        };
        // Twice, with an interval: a missing event is withdrawn half an hour later, and the carrier knows a number
        // without a manifest three days after its first poll.
        await pollAllAgain();
        nowMs = await setClock(sandbox, "POST", "/advance", { by: "75h" });
        await pollAllAgain();

        const milestones = await setup.rows<Milestone>(liveMilestones);
        expect(milestones.length).toBeGreaterThan(stories.length * 5);
        const keys = milestones.map((one) => JSON.stringify([one.number, one.container, one.event, one.at]));
        expect(new Set(keys).size).toBe(keys.length);

        const read = createStoredReplyReader(
          [CarrierConnection.parse({ scac: "SBXL", protocol: "dcsa-2.2", baseUrl: sandbox.url })],
          setup.context.places,
        );
        const differences: object[] = [];
        await verify(setup.database, {}, { read, places: setup.context.places }, (one) => differences.push(one));
        expect(differences).toEqual([]);

        for (const story of stories) {
          const number = `SBX${story}00001${run}`;
          const truth = await expectedObservations(sandbox, setup, number);
          expect([number, truth.length === 0]).toEqual([number, unknownInTheEnd.has(story)]);
          if (truth.length === 0) continue;
          const { failed_reason: failed } = await setup.row<{ failed_reason: string | null }>(
            "SELECT failed_reason FROM tracking_requests WHERE request_number = $1",
            number,
          );
          // Cancelled while no worker ran: then there is no shipment.
          if (story === "CAN" && failed === "booking_cancelled") continue;
          const isReported = ({ container, at }: Milestone) =>
            truth.some(
              ({ classifier, eventAt, containerNumber }) =>
                classifier === "ACT" && eventAt === at && (containerNumber === null || containerNumber === container),
            );
          const own = milestones.filter((one) => one.number === number);
          const carrierMilestones = own.filter(({ source }) => source === "shipping_line");
          expect([number, carrierMilestones.filter((one) => !isReported(one))]).toEqual([number, []]);
          const isKnown = (container: string, event: string, at: string) =>
            own.some(
              (one) =>
                one.container === container &&
                one.event === event &&
                // A terminal's report of the same move precedes the carrier's.
                (one.at === at || one.source !== "shipping_line"),
            );
          const missing = deriveShipment(truth, setup.context.places).containers.flatMap((one) =>
            one.events.filter(({ event, occurredAt }) => !isKnown(one.number, event, occurredAt)),
          );
          const polls = await setup.row(pollStateSql, number);
          expect({ number, missing, polls }).toEqual({ number, missing: [], polls });
        }
      } finally {
        await worker.stop();
        await setup.close();
        await sandbox.stop();
        fs.rmSync(folder, { recursive: true, force: true });
      }
    },
    900_000,
  );
});
