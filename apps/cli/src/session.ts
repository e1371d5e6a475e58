import { type Client, createClient } from "@svc/sdk";
import type { Command } from "commander";
import { requireAccess } from "./access/find-access.ts";
import { createOutput, type Output } from "./output/output.ts";
import type { ProcessContext } from "./process-context.ts";

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

/** The environment that a command of `svc` runs in. */
export interface Session {
  readonly client: Client;
  readonly output: Output;
  /** Options for calls that return a record: aborted by Ctrl-C, in the format that the output needs. */
  readonly call: { readonly signal: AbortSignal; readonly format: "raw" | "mapped" };
  readonly context: ProcessContext;
}

export function openSession(command: Command, context: ProcessContext): Session {
  const options = command.optsWithGlobals<GlobalOptions>();
  const { token, baseUrl } = requireAccess(options, context);
  const output = createOutput(context, options);
  return {
    client: createClient({ token, baseUrl, timeoutMs: options.timeout }),
    output,
    call: { signal: context.signal, format: output.format },
    context,
  };
}
