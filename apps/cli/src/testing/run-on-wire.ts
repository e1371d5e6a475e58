import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { type ReceivedRequest, startWireServer, type WireBehaviour } from "@svc/sdk/testing";
import { runCli } from "../run-cli.ts";

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Requests that the API received, oldest first. */
  readonly requests: readonly ReceivedRequest[];
}

/** Runs one command line on an API that answers as given. */
export async function runOnWire(
  args: readonly string[],
  answer: (request: ReceivedRequest) => WireBehaviour,
): Promise<CommandResult> {
  const server = await startWireServer(answer);
  let [stdout, stderr] = ["", ""];
  const folder = path.join(os.tmpdir(), "svc-without-login");
  try {
    const code = await runCli(args, {
      environment: { SVC_API_TOKEN: "svc_test", SVC_API_BASE_URL: server.baseUrl },
      cwd: folder,
      home: folder,
      userId: undefined,
      input: Readable.from([]),
      write: async (text) => {
        stdout += text;
      },
      writeError: (text) => {
        stderr += text;
      },
      isTerminal: false,
      columns: 80,
      signal: new AbortController().signal,
      run: async () => undefined,
    });
    return { code, stdout, stderr, requests: server.requests };
  } finally {
    await server.close();
  }
}
