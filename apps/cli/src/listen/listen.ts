import { once } from "node:events";
import { ValidationError } from "@svc/sdk";
import { CliError, exitCodes } from "../errors/cli-error.ts";
import type { Session } from "../session.ts";
import { deliveryPrinter } from "./delivery-printer.ts";
import { followFeed } from "./follow-feed.ts";
import { type Received, startReceiver } from "./receiver.ts";

export interface ListenOptions {
  readonly events: string[];
  readonly forwardTo?: string;
  readonly url?: string;
  readonly port?: number;
  readonly webhook?: string;
  readonly after?: string;
}

const forwardTimeoutMs = 8_000;

/** Forwards a delivery unchanged. Returns the status of the response, or 502 without one. */
async function forward(target: string, { body, headers }: Received): Promise<number> {
  const passed = Object.entries(headers).filter(([name]) => /^(webhook-|x-svc-|content-type$|user-agent$)/.test(name));
  try {
    const response = await fetch(target, {
      method: "POST",
      headers: passed.map(([name, value]): [string, string] => [name, String(value)]),
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(forwardTimeoutMs),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 502;
  }
}

/** A webhook of this run's own. Refused where the service may not reach this machine. */
async function createOwnWebhook({ client, call }: Session, url: string, events: string[]) {
  try {
    const { data } = await client.webhooks.create({ url, events }, { signal: call.signal, format: "raw" });
    const { secret } = data.attributes;
    if (secret === null) throw new CliError(exitCodes.rejected, "The token may not see the secret of its webhook.");
    return { id: data.id, secret };
  } catch (error) {
    if (!(error instanceof ValidationError) || !error.pointers.includes("/data/attributes/url")) throw error;
    const ways =
      "Give --url with an address of a tunnel to this machine, or --webhook <id> to print the notifications of a webhook";
    throw new CliError(
      exitCodes.rejected,
      `The service delivers to no such address: ${url}. ${ways}. (${error.message})`,
    );
  }
}

async function receiveHere(session: Session, options: ListenOptions): Promise<void> {
  const { client, output, context } = session;
  const print = deliveryPrinter(session);
  let own: { readonly id: string; readonly secret: string } | undefined;
  const receiver = await startReceiver({
    port: options.port ?? 0,
    secret: () => own?.secret,
    refused: (reason) => output.note(`refused a delivery: ${reason}`),
    async handle(received) {
      const status = options.forwardTo === undefined ? 204 : await forward(options.forwardTo, received);
      const document = JSON.parse(new TextDecoder().decode(received.body));
      await print(document, options.forwardTo === undefined ? undefined : status);
      return status;
    },
  }).catch((error: Error) => {
    throw new CliError(exitCodes.usage, `Port ${options.port} cannot be used: ${error.message}`);
  });
  try {
    own = await createOwnWebhook(session, options.url ?? `http://127.0.0.1:${receiver.port}/`, options.events);
    output.note(`Listening with webhook ${own.id}, secret ${own.secret}. Ctrl-C deletes it and ends.`);
    if (!context.signal.aborted) await once(context.signal, "abort");
  } finally {
    // The call ignores the signal of Ctrl-C, which starts this cleanup.
    if (own) await client.webhooks.delete(own.id);
    await receiver.close();
    if (own) output.note("Deleted the webhook.");
  }
}

/** `svc webhooks listen`. Resolves after Ctrl-C. */
export async function listen(session: Session, options: ListenOptions): Promise<void> {
  if (options.webhook === undefined) return receiveHere(session, options);
  if (options.forwardTo !== undefined || options.url !== undefined || options.port !== undefined) {
    throw new CliError(
      exitCodes.usage,
      "--webhook only polls notifications; leave out --forward-to, --url and --port.",
    );
  }
  await followFeed(session, options.webhook, options.after);
}
