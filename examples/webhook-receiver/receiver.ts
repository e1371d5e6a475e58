/**
 * A webhook receiver that shows what a consumer has to do: verify, deduplicate, answer fast.
 * Run it beside `npm start` with `npm run demo:receiver`, or on its own: `node receiver.ts --secret whsec_…`.
 */
import fs from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { parseArgs } from "node:util";
import { createReceivingServer } from "./receiving-server.ts";
import { type ApiAccess, type Registration, register } from "./registration.ts";

const defaultPort = 4100;

const usage = `Usage: node receiver.ts [--port ${defaultPort}] [--secret whsec_…] [--url https://…]

Without --port it listens on ${defaultPort}, or on a free port when that one is in use.
With --secret it verifies deliveries of a webhook that you created yourself.
With SVC_API and SVC_TOKEN in the environment, or while \`npm start\` runs, it creates the webhook and deletes it on
Ctrl-C. --url is the address to register, when this machine's own cannot be reached.`;

function runningDemo(): ApiAccess | undefined {
  try {
    const file = process.env.SVC_RUNTIME_FILE ?? path.resolve(".svc/runtime.json");
    return JSON.parse(fs.readFileSync(file, "utf8")) as ApiAccess;
  } catch {
    return undefined;
  }
}

function apiAccess(): ApiAccess | undefined {
  const { SVC_API: api, SVC_TOKEN: token } = process.env;
  return api && token ? { api, token } : runningDemo();
}

interface Options {
  /** Undefined: any that is free. */
  readonly port: number | undefined;
  readonly secret: string | undefined;
  readonly url: string | undefined;
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: { port: { type: "string" }, secret: { type: "string" }, url: { type: "string" } },
  });
  const port = values.port === undefined ? undefined : Number(values.port);
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= 65_535))
    throw new Error("--port must be a port number.");
  return { port, secret: values.secret ?? process.env.SVC_WEBHOOK_SECRET, url: values.url };
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      resolve();
    });
  });

const isInUse = (error: unknown) => (error as NodeJS.ErrnoException).code === "EADDRINUSE";

async function listenOnFreePort(server: Server): Promise<void> {
  try {
    await listen(server, defaultPort);
  } catch (error) {
    if (!isInUse(error)) throw error;
    await listen(server, 0);
  }
}

async function listenOnPort(server: Server, port: number): Promise<void> {
  await listen(server, port).catch((error: Error) => {
    throw isInUse(error) ? new Error(`Port ${port} is in use: stop what uses it, or leave --port out.`) : error;
  });
}

async function main(): Promise<void> {
  const options = readOptions();
  const access = options.secret ? undefined : apiAccess();
  if (!options.secret && !access) throw new Error(`There is neither a secret nor an API to ask for one.\n\n${usage}`);

  let secret = options.secret;
  let registration: Registration | undefined;
  const server = createReceivingServer({ secret: () => secret, print: console.log });
  await (options.port === undefined ? listenOnFreePort(server) : listenOnPort(server, options.port));
  const url = options.url ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
  console.log(`Listening at ${url}`);
  if (access) {
    registration = await register(access, url);
    secret = registration.secret;
    console.log(`Registered as webhook ${registration.id} for all events. Ctrl-C deletes it.`);
  }

  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) process.exit(1);
    stopping = true;
    server.close();
    await registration?.remove().catch((error: Error) => console.error(error.message));
    process.exit(0);
  };
  process.on("SIGINT", () => void stop());
  process.on("SIGTERM", () => void stop());
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
