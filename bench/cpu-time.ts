import fs from "node:fs";

/** The kernel's clock ticks, which Linux reports as hundredths of a second on every architecture. */
const microsecondsPerTick = 10_000;

/** Processor time that a process has taken so far, user and system, in microseconds. Only where there is `/proc`. */
export function cpuMicroseconds(pid: number): number {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8");
  // The program's name, in parentheses, may hold spaces; user and system time are the 12th and 13th value after it.
  const values = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(values[11]) + Number(values[12])) * microsecondsPerTick;
}
