import { freePort } from "@svc/local-stores";
import { eventually } from "./eventually.ts";
import { type Program, startProgram } from "./program.ts";

/** One of our services as a separate process. */
export interface ServiceProcess extends Program {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
}

/**
 * Starts the service whose entry file is given (`apps/x/src/main.ts` or `apps/x/dist/main.js`) on a free port, with
 * only the given environment, and resolves once `/readyz` returns 200. Rejects with its log when it ends first or is
 * not ready in time.
 */
export async function startServiceProcess(
  entry: string,
  environment: Readonly<Record<string, string>>,
  readyTimeoutMs = 90_000,
  tries = 3,
): Promise<ServiceProcess> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const program = startProgram([entry], { environment: { ...environment, PORT: String(port) } });
  let ended = false;
  void program.exited.then(() => {
    ended = true;
  });
  await eventually(
    `${entry} is ready`,
    async () => ended || (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) })).ok,
    readyTimeoutMs,
  ).catch(async (error: Error) => {
    await program.stop();
    throw new Error(`${error.message}\n${program.output()}`);
  });
  if (!ended) return { ...program, url };
  // Another program may have taken the port since it was found free.
  if (tries > 1 && /port \d+ is in use/.test(program.output()))
    return startServiceProcess(entry, environment, readyTimeoutMs, tries - 1);
  throw new Error(`${entry} ended before it was ready:\n${program.output()}`);
}
