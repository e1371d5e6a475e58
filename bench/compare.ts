import type { ServiceProcess } from "@svc/testkit";
import { cpuMicroseconds } from "./cpu-time.ts";
import { type LoadOptions, load } from "./load.ts";
import { type Comparison, median } from "./rounds.ts";
import { steadyLoad } from "./steady-load.ts";

const roundCount = 5;
const steadyRoundCount = 3;
const roundSeconds = 4;
export const connections = 50;

export interface Compared {
  readonly ours: ServiceProcess;
  readonly bare: ServiceProcess;
}

type Requests = Omit<LoadOptions, "url" | "connections" | "seconds">;

async function measure({ url, pid }: ServiceProcess, requests: Requests) {
  const before = cpuMicroseconds(pid);
  const result = await load({ url, connections, seconds: roundSeconds, ...requests });
  return { ...result, cpu: (cpuMicroseconds(pid) - before) / result.requests };
}

/** p99 of both at half of the rate that ours can serve. */
export async function compareSteady(
  { ours, bare }: Compared,
  { requestsPerSecond, ...load }: Requests & { readonly connections: number; readonly requestsPerSecond: number },
): Promise<Comparison["rounds"]> {
  const perSecond = Math.max(1, Math.round(requestsPerSecond / 2));
  const rounds: Comparison["rounds"][number][] = [];
  for (let round = 0; round < steadyRoundCount; round++) {
    const measured = async ({ url }: ServiceProcess) => steadyLoad({ url, seconds: roundSeconds, perSecond, ...load });
    const [own, base] = [await measured(ours), await measured(bare)];
    const note = `${perSecond} requests/s; p50 ${own.p50Ms.toFixed(1)} ms against ${base.p50Ms.toFixed(1)} ms`;
    rounds.push({ ours: own.p99Ms, bare: base.p99Ms, note });
  }
  return rounds;
}

/**
 * Sends the same requests to ours and to a baseline alternately, so that drift of the machine affects both. Measures
 * the rate and the processor time of each request, which is stable on a busy machine too, and then the latency at half
 * of that rate.
 */
export async function compare(name: string, { ours, bare }: Compared, requests: Requests): Promise<Comparison[]> {
  const rates: Comparison["rounds"][number][] = [];
  const costs: Comparison["rounds"][number][] = [];
  // The first round is a warm-up and does not count.
  for (const one of [ours, bare]) await measure(one, requests);
  for (let round = 0; round < roundCount; round++) {
    const [own, base] = [await measure(ours, requests), await measure(bare, requests)];
    const note = `p99 ${own.p99Ms} ms against ${base.p99Ms} ms`;
    rates.push({ ours: own.requestsPerSecond, bare: base.requestsPerSecond, note });
    costs.push({ ours: own.cpu, bare: base.cpu });
  }
  const all = (rounds: Comparison["rounds"]) => rounds.map((round) => (round.ours / round.bare).toFixed(2)).join(", ");
  const requestsPerSecond = median(rates.map((round) => round.ours));
  const steady = await compareSteady({ ours, bare }, { ...requests, connections, requestsPerSecond });
  console.error(`${name}: ${all(rates)}; processor time ${all(costs)}`);
  return [
    { name, unit: "requests/s", rounds: rates },
    { name: `${name}, processor time`, unit: "µs a request", rounds: costs },
    { name: `${name}, p99 at half of the rate`, unit: "ms", rounds: steady, aim: { atMost: 25 } },
  ];
}
