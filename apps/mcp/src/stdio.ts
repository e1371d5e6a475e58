import { randomUUID } from "node:crypto";
import { PassThrough } from "node:stream";
import type { ProtocolEra, Transport } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { ConfigError, createLogger, unknownVariables } from "@svc/service-kit";
import { createCaller } from "./api/caller.ts";
import { continueTrace } from "./api/trace-context.ts";
import { loadStdioConfig } from "./config.ts";
import { showsForms } from "./protocol/confirm-write.ts";
import { createMcpServer } from "./protocol/create-mcp-server.ts";
import { productSurface } from "./protocol/product-surface.ts";
import { serveStdioSubscriptions } from "./subscriptions/over-stdio.ts";
import { listenMethod } from "./subscriptions/subscriptions.ts";
import { showsViews } from "./views/views.ts";

/** Time that open calls get after the end of stdin: longer than a tool takes that calls the API several times. */
const callMaxMs = 30_000;

/** @returns a function whose promise resolves when no request is in progress. */
function trackRequests(transport: Transport): () => Promise<void> {
  const inProgress = new Set<unknown>();
  let onIdle = (): void => undefined;
  const remove = (id: unknown): void => {
    inProgress.delete(id);
    if (inProgress.size === 0) onIdle();
  };
  const { onmessage } = transport;
  const send = transport.send.bind(transport);
  transport.onmessage = (message, extra) => {
    // A subscription gets no response.
    if ("method" in message && "id" in message && message.method !== listenMethod) inProgress.add(message.id);
    // A cancelled request gets no response.
    if ("method" in message && message.method === "notifications/cancelled") remove(message.params?.requestId);
    onmessage?.(message, extra);
  };
  transport.send = async (message, options) => {
    await send(message, options);
    if (!("method" in message)) remove(message.id);
  };
  return () =>
    new Promise((resolve) => {
      onIdle = resolve;
      if (inProgress.size === 0) resolve();
    });
}

/**
 * The local transport for development (docs/contract/specification.md, Hosted MCP endpoint): messages on stdin and
 * stdout, the log on stderr.
 */
async function run(): Promise<void> {
  const config = loadStdioConfig(process.env);
  const logger = createLogger({ service: "mcp-stdio", level: config.LOG_LEVEL, destination: process.stderr });
  for (const unknown of unknownVariables(process.env)) logger.warn(unknown, "configuration.variable_unknown");
  const surface = productSurface(config.SVC_APP_URL);
  const callerOf = (signal: AbortSignal, meta?: Readonly<Record<string, unknown>>) =>
    createCaller({
      apiBaseUrl: config.SVC_API_BASE_URL,
      token: config.SVC_API_TOKEN,
      transport: "stdio",
      isReadOnly: config.SVC_MCP_READ_ONLY,
      appUrl: config.SVC_APP_URL,
      signal,
      traceHeaders: continueTrace(meta).headers,
    });
  const create = ({ era }: { readonly era: ProtocolEra }) =>
    createMcpServer({
      surface,
      era,
      logger,
      originOf: ({ mcpReq }, { server }) => ({
        caller: callerOf(mcpReq.signal, mcpReq._meta),
        ref: randomUUID(),
        canElicit: mcpReq.envelope === undefined && showsForms(server.getClientCapabilities()?.elicitation),
        showsViews: mcpReq.envelope === undefined && showsViews(server.getClientCapabilities()),
      }),
    });
  // The package closes the connection at the end of its input, and drops the requests in progress.
  const input = process.stdin.pipe(new PassThrough(), { end: false });
  const transport = new StdioServerTransport(input);
  serveStdio(create, { transport, onerror: (error) => logger.warn({ err: error }, "mcp.message_ignored") });
  const isIdle = trackRequests(transport);
  serveStdioSubscriptions({ transport, logger, callerOf });
  logger.info("mcp.started");
  // The client owns this process. When it closes stdin it may still read the responses to its requests.
  process.stdin.once("end", () => {
    const deadline = setTimeout(() => input.end(), callMaxMs);
    void isIdle().then(() => {
      clearTimeout(deadline);
      input.end();
    });
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(0));
}

run().catch((error: unknown) => {
  const reason = error instanceof ConfigError ? error.message : `mcp cannot start: ${String(error)}`;
  process.stderr.write(`${reason}\n`);
  process.exitCode = 1;
});
