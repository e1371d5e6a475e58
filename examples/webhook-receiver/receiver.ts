/**
 * A webhook receiver that shows what a consumer has to do: verify, deduplicate, answer fast.
 * Run it beside `npm start` with `npm run demo:receiver`, or on its own: `node receiver.ts --secret whsec_…`.
 */
import fs from "node:fs";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { parseArgs } from "node:util";
import { createReceivingServer } from "./receiving-server.ts";
import { type ApiAccess, type Registration, register } from "./registration.ts";

const usage = `Usage: node receiver.ts [--port 4100] [--secret whsec_…] [--url https://…]

With --secret it verifies deliveries of a webhook that you created yourself.
With SVC_API and SVC_TOKEN in the environment, or while \`npm start\` runs, it creates the webhook and deletes it on
Ctrl-C. --url is the address to register, when this machine's own cannot be reached.`;

function runningDemo(): ApiAccess | undefined {
  try {
    return JSON.parse(fs.readFileSync(path.resolve(".svc/runtime.json"), "utf8")) as ApiAccess;
  } catch {
    return undefined;
  }
}

function apiAccess(): ApiAccess | undefined {
  const { SVC_API: api, SVC_TOKEN: token } = process.env;
  return api && token ? { api, token } : runningDemo();
}

function readOptions(): { port: number; secret: string | undefined; url: string | undefined } {
  const { values } = parseArgs({
    options: { port: { type: "string", default: "4100" }, secret: { type: "string" }, url: { type: "string" } },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error("--port must be a port number.");
  return { port, secret: values.secret ?? process.env.SVC_WEBHOOK_SECRET, url: values.url };
}

async function main(): Promise<void> {
  const options = readOptions();
  const access = options.secret ? undefined : apiAccess();
  if (!options.secret && !access) throw new Error(`There is neither a secret nor an API to ask for one.\n\n${usage}`);

  let secret = options.secret;
  let registration: Registration | undefined;
  const server = createReceivingServer({ secret: () => secret, print: console.log });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, "127.0.0.1", resolve);
  });
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
