import autocannon from "autocannon";

export interface LoadResult {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers outside 2xx, and connection errors. Anything but 0 makes a round worthless. */
  readonly failures: number;
}

export interface LoadOptions {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  readonly method?: "GET" | "PATCH" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  /** Makes each request anew, so that no two connections ask for the same at the same time. */
  readonly nextRequest: () => { readonly path: string; readonly body?: string };
}

/** Keeps `connections` requests in the air for `seconds`, after a warm-up of one second. */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const run = (seconds: number) =>
    autocannon({
      url: options.url,
      connections: options.connections,
      duration: seconds,
      headers: { ...options.headers },
      requests: [
        { method: options.method ?? "GET", setupRequest: (request) => ({ ...request, ...options.nextRequest() }) },
      ],
    });
  await run(1);
  const result = await run(options.seconds);
  return {
    requestsPerSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failures: result.non2xx + result.errors + result.timeouts,
  };
}
