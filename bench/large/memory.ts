import fs from "node:fs";
import { connections } from "../compare.ts";
import { load } from "../load.ts";
import type { Reading } from "../rounds.ts";
import { readAny, startLargeApi } from "./large-requests.ts";
import { onLargeDatabase } from "./large-run.ts";

const sampleSeconds = 30;
const warmUpSeconds = 1;

function residentMiB(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Math.round(Number(kilobytes) / 1024);
}

function readSeconds(): number {
  const seconds = Number(process.env.BENCH_MEMORY_SECONDS || "300");
  if (!(seconds >= 2)) throw new Error("BENCH_MEMORY_SECONDS must be a number, 2 at least.");
  return seconds;
}

/**
 * The resident memory of the API under five minutes of reads, or BENCH_MEMORY_SECONDS, read every half minute. Linux
 * only.
 */
export function benchmarkApiMemory(redisUrl: string | undefined): Promise<Reading[]> {
  const seconds = readSeconds();
  return onLargeDatabase(async (run) => {
    const api = await startLargeApi(run, redisUrl);
    const nextRequest = readAny(run.accounts.all);
    const samples = [residentMiB(api.pid)];
    let requests = 0;
    for (let left = seconds; left > 0; left -= sampleSeconds) {
      const loadSeconds = Math.max(1, Math.min(sampleSeconds, left) - warmUpSeconds);
      requests += (await load({ url: api.url, connections, seconds: loadSeconds, nextRequest })).requests;
      samples.push(residentMiB(api.pid));
    }
    return [
      {
        name: "Memory of the API under load",
        lines: [
          `${seconds} s of reads, ${requests.toLocaleString("en-US")} requests: **${samples[0]} MiB** resident at the start, ` +
            `**${samples.at(-1)} MiB** at the end. Every ${sampleSeconds} s: ${samples.join(", ")}.`,
        ],
      },
    ];
  });
}
