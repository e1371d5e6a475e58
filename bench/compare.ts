import type { ServiceProcess } from "@svc/testkit";
import { cpuMicroseconds } from "./cpu-time.ts";
import { type LoadOptions, load } from "./load.ts";
import type { Comparison } from "./rounds.ts";

const roundCount = 5;
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

/**
 * The same requests to ours and to a baseline, in turn, so that drift of the machine hits both: how many a second, and what each
 * costs its process in processor time, which holds on a busy machine too.
 */
export async function compare(name: string, { ours, bare }: Compared, requests: Requests): Promise<Comparison[]> {
  const rates: Comparison["rounds"][number][] = [];
  const costs: Comparison["rounds"][number][] = [];
  for (let round = 0; round < roundCount; round++) {
    const [own, base] = [await measure(ours, requests), await measure(bare, requests)];
    const note = `p99 ${own.p99Ms} ms against ${base.p99Ms} ms`;
    rates.push({ ours: own.requestsPerSecond, bare: base.requestsPerSecond, note });
    costs.push({ ours: own.cpu, bare: base.cpu });
  }
  const all = (rounds: Comparison["rounds"]) => rounds.map((round) => (round.ours / round.bare).toFixed(2)).join(", ");
  console.error(`${name}: ${all(rates)}; processor time ${all(costs)}`);
  return [
    { name, unit: "requests/s", rounds: rates },
    { name: `${name}, processor time`, unit: "µs a request", rounds: costs },
  ];
}
