import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { highestPortOffset } from "./ports.ts";
import { StartError } from "./start-error.ts";

export type QueueStore = "redis" | "postgres";

export interface LauncherOptions {
  readonly portBase: number;
  /** Absolute. */
  readonly dataDir: string;
  readonly fresh: boolean;
  /** Not set: Redis when there is one. */
  readonly queue?: QueueStore;
  /** Imitations of real lines besides the sandbox carrier. */
  readonly lines: boolean;
  readonly help: boolean;
}

/** A file, because `npm start -- --help` prints it before anything is installed. */
export const usage = fs.readFileSync(new URL("usage.txt", import.meta.url), "utf8");

const usageExitCode = 2;

function refuse(sentence: string): never {
  throw new StartError(`${sentence} Try \`npm start -- --help\`.`, usageExitCode);
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        "port-base": { type: "string", default: "4000" },
        "data-dir": { type: "string" },
        fresh: { type: "boolean", default: false },
        queue: { type: "string" },
        lines: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    }).values;
  } catch (error) {
    // Node's own explanation goes on after the first sentence with advice that does not fit here.
    refuse(`${(error as Error).message.split(/\.\s|\n/)[0]?.replace(/\.$/, "")}.`);
  }
}

function parsePortBase(text: string): number {
  const highest = 65_535 - highestPortOffset;
  const port = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(port >= 1 && port <= highest))
    refuse(`--port-base must be a whole number from 1 to ${highest}, not "${text}".`);
  return port;
}

/** A --data-dir is relative to the current folder. Throws StartError for anything it does not understand. */
export function parseOptions(
  args: readonly string[],
  folders: { readonly current: string; readonly defaultData: string },
): LauncherOptions {
  const values = parse(args);
  const { queue } = values;
  if (queue !== undefined && queue !== "redis" && queue !== "postgres") {
    refuse(`--queue must be redis or postgres, not "${queue}".`);
  }
  return {
    portBase: parsePortBase(values["port-base"]),
    dataDir: path.resolve(folders.current, values["data-dir"] ?? folders.defaultData),
    fresh: values.fresh,
    ...(queue ? { queue } : {}),
    lines: values.lines,
    help: values.help,
  };
}
