import { spawn, spawnSync } from "node:child_process";

/** Runs a program to its end and returns what it printed. Throws with its last lines when it fails. */
export function run(program: string, args: readonly string[], environment: NodeJS.ProcessEnv = process.env): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    encoding: "utf8",
    env: environment,
    maxBuffer: 256 * 1024 * 1024,
  });
  if (error) throw error;
  if (status === 0) return stdout.trim();
  const output = `${stdout}${stderr}`.trim().split("\n").slice(-100).join("\n");
  throw new Error(`${program} ${args.join(" ")} ended with ${status}:\n${output}`);
}

/** The same with its output on the terminal, for what takes minutes. */
export function runWithOutput(program: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ["ignore", "inherit", "inherit"] });
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${program} ended with ${code}.`));
    });
  });
}

/** Whether a program ends without an error. */
export const succeeds = (program: string, args: readonly string[]): boolean =>
  spawnSync(program, args, { stdio: "ignore" }).status === 0;

/** Prints a line with the seconds since the start. */
export function report(text: string): void {
  console.log(
    `${Math.round(performance.now() / 1_000)
      .toString()
      .padStart(5)} s  ${text}`,
  );
}

export const sleep = (delayMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delayMs));
