import fs from "node:fs";

/** The kernel's clock ticks, which Linux reports as hundredths of a second on every architecture. */
const microsecondsPerTick = 10_000;

/** Times after the program's name: 12th and 13th of the process, 14th and 15th of children that ended. */
function statOf(pid: number): readonly string[] {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name, in parentheses, may hold spaces.
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

const sumOf = (values: readonly string[]): number =>
  values.reduce((sum, value) => sum + Number(value), 0) * microsecondsPerTick;

/** Processor time that a process has taken so far, user and system, in microseconds. Only where there is `/proc`. */
export const cpuMicroseconds = (pid: number): number => sumOf(statOf(pid).slice(11, 13));

export const parentOf = (pid: number): number => Number(statOf(pid)[1]);

/** Processor time of a process with its children, running and ended, such as the server processes of PostgreSQL. */
export function familyCpuMicroseconds(pid: number): number {
  const children = fs.readdirSync("/proc").flatMap((name) => {
    try {
      return /^\d+$/.test(name) && parentOf(Number(name)) === pid ? [cpuMicroseconds(Number(name))] : [];
    } catch {
      // It has ended since the folder was read, and counts with the parent.
      return [];
    }
  });
  return children.reduce((sum, child) => sum + child, sumOf(statOf(pid).slice(11, 15)));
}

/** Returns the ticks of each processor since the machine started: all, and those in which it worked. */
export function processorTicks(): { readonly all: number; readonly busy: number }[] {
  const lines = fs.readFileSync("/proc/stat", "utf8").match(/^cpu\d+ .*$/gm) ?? [];
  return lines.map((line) => {
    const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, ...others] = line.split(" ").slice(1, 9).map(Number);
    const busy = user + nice + system + others.reduce((sum, one) => sum + one, 0);
    return { all: busy + idle + wait, busy };
  });
}
