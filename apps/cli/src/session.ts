import { type Client, createClient } from "@svc/sdk";
import type { Command } from "commander";
import { requireAccess } from "./access/find-access.ts";
import { createOutput, type Output } from "./output/output.ts";
import type { World } from "./world.ts";

/** Options that every command understands. */
export interface GlobalOptions {
  readonly json?: boolean;
  readonly raw?: boolean;
  readonly mapped?: boolean;
  readonly token?: string;
  readonly baseUrl?: string;
  /** Milliseconds for each attempt. */
  readonly timeout?: number;
}

/** What a command works with. */
export interface Session {
  readonly client: Client;
  readonly output: Output;
  /** For calls whose answer is a record: aborted by Ctrl-C, and shaped as the output wants it. */
  readonly call: { readonly signal: AbortSignal; readonly format: "raw" | "mapped" };
  readonly world: World;
}

export function openSession(command: Command, world: World): Session {
  const options = command.optsWithGlobals<GlobalOptions>();
  const { token, baseUrl } = requireAccess(options, world);
  const output = createOutput(world, options);
  return {
    client: createClient({ token, baseUrl, timeoutMs: options.timeout }),
    output,
    call: { signal: world.signal, format: output.format },
    world,
  };
}
