import { Agent } from "undici";

/** How long a carrier may take to answer a check. */
const checkTimeoutMs = 8_000;
/** Statuses of a gateway without a server behind it. */
const unavailableStatuses: ReadonlySet<number> = new Set([502, 503, 504]);

async function probe(url: URL, agent: Agent, signal: AbortSignal): Promise<boolean> {
  try {
    const { statusCode, body } = await agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: "GET",
      headers: { accept: "application/json", "user-agent": "shipment-tracking-service" },
      signal: AbortSignal.any([signal, AbortSignal.timeout(checkTimeoutMs)]),
    });
    body.on("error", () => undefined).destroy();
    return !unavailableStatuses.has(statusCode);
  } catch {
    signal.throwIfAborted();
    return false;
  }
}

/**
 * Whether the servers of a carrier answer: one request each to its API and its token endpoint, without credentials and
 * over new connections. Any status counts as an answer, except those of a gateway without a server. Rejects only when
 * `signal` aborts.
 */
export async function isReachable(
  { baseUrl, tokenUrl }: { readonly baseUrl: string; readonly tokenUrl: string | null },
  signal: AbortSignal,
): Promise<boolean> {
  const agent = new Agent({ connect: { timeout: checkTimeoutMs } });
  try {
    const urls = [baseUrl, ...(tokenUrl === null ? [] : [tokenUrl.replace("{tenant}", "common")])];
    const results = await Promise.all(urls.map((url) => probe(new URL(url), agent, signal)));
    return results.every((isUp) => isUp);
  } finally {
    await agent.destroy();
  }
}
