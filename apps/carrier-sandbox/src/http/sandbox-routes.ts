import express, { type Response, Router } from "express";
import { z } from "zod";
import { ClockError, type ClockReading, type SimulatedClock } from "../clock/simulated-clock.ts";
import { ConfiguredFaults, type FaultSelector } from "../faults/configured-faults.ts";
import type { SandboxCarrier } from "../sandbox-carrier.ts";
import { scenarios } from "../scenarios/catalogue.ts";
import { shipmentsSearched } from "./events-routes.ts";

const ClockChange = z.strictObject({
  now: z.iso.datetime({ offset: true }).optional(),
  scale: z.number().optional(),
  paused: z.boolean().optional(),
});

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const Advance = z.strictObject({
  by: z.string().regex(/^\d{1,9}(\.\d{1,3})?[smhd]$/, "must be a number followed by s, m, h or d, for example 6h"),
});

/** Runs `work` with the validated body, or answers 400 with its problems. */
function withBody<S extends z.ZodType>(
  schema: S,
  body: unknown,
  response: Response,
  work: (value: z.output<S>) => void,
) {
  const result = schema.safeParse(body);
  if (!result.success) {
    const problems = result.error.issues.map((issue) => [...issue.path, issue.message].join(" "));
    response.status(400).json({ errors: problems });
    return;
  }
  try {
    work(result.data);
  } catch (error) {
    if (!(error instanceof ClockError)) throw error;
    response.status(400).json({ errors: [error.message] });
  }
}

function wireClock({ now, ...state }: ClockReading) {
  return { now: new Date(now).toISOString(), ...state };
}

/** Maximum long-poll time; a follower detects a stopped sandbox within it. */
const changeAwaitedMs = 2_000;

/** Operations of the sandbox itself, which real carriers do not have: clock, shipments, scenarios and faults. */
export function sandboxRoutes(options: {
  clock: SimulatedClock;
  carrier: SandboxCarrier;
  faults: FaultSelector;
}): Router {
  const { clock, carrier, faults } = options;
  const router = Router();
  router.use(express.json({ limit: "64kb" }));

  router.get("/clock", async (request, response) => {
    // Long polling: waits for the change after the client's revision.
    await clock.changed(Number(request.query.after), AbortSignal.timeout(changeAwaitedMs));
    response.json(wireClock(clock.read()));
  });
  router.put("/clock", (request, response) => {
    withBody(ClockChange, request.body, response, ({ now, ...change }) => {
      response.json(wireClock(clock.set({ ...change, now: now === undefined ? undefined : Date.parse(now) })));
    });
  });
  router.post("/clock/advance", (request, response) => {
    withBody(Advance, request.body, response, ({ by }) => {
      const step = Number(by.slice(0, -1)) * (unitMs[by.slice(-1)] ?? 0);
      response.json(wireClock(clock.set({ now: clock.now() + step })));
    });
  });
  router.get("/shipments", (_request, response) => {
    const shipments = carrier.latest(shipmentsSearched).map(({ shipment, scenario }) => ({
      billOfLading: shipment.billOfLading,
      booking: shipment.booking,
      scenario: scenario.code,
      bookedAt: new Date(shipment.bookedAt).toISOString(),
      containers: shipment.containers.map((container) => container.number),
    }));
    response.json({ shipments });
  });
  router.get("/scenarios", (_request, response) => {
    const list = scenarios.map(({ code, description }) => ({ code, story: description, example: `SBX${code}000001` }));
    response.json({ scenarios: list });
  });
  router.get("/faults", (_request, response) => {
    response.json({ faults: faults.configured });
  });
  router.put("/faults", (request, response) => {
    withBody(ConfiguredFaults, request.body, response, (body) => {
      faults.configure(body.faults);
      response.json({ faults: faults.configured });
    });
  });
  return router;
}
