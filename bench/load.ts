import autocannon from "autocannon";

export interface LoadResult {
  /** Number of responses, the warm-up included. */
  readonly requests: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface LoadRequest {
  readonly path: string;
  readonly body?: string;
  /** Headers besides those that all requests have. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface LoadOptions {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** Whether a redirect counts as a success. */
  readonly redirects?: boolean;
  readonly method?: "GET" | "PATCH" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  /** Builds each request separately, so that no two connections request the same at the same time. */
  readonly nextRequest: () => LoadRequest;
}

interface Outcome {
  readonly refused: number;
  readonly errors: number;
  readonly answered: number;
}

type Requests = Omit<LoadOptions, "seconds">;

/** Throws when a request failed or nothing was answered, because the round is invalid. */
export function checkResponses(options: Requests, { refused, errors, answered }: Outcome): void {
  const what = `${options.method ?? "GET"} requests to ${options.url}`;
  if (refused + errors > 0) throw new Error(`Of ${what} ${refused} had a bad answer and ${errors} had none.`);
  if (answered === 0) throw new Error(`No ${what} was answered.`);
}

/** Runs for a `duration` in seconds, or until an `amount` of requests is answered. */
async function run(
  options: Requests,
  extent: { readonly duration: number } | { readonly amount: number; readonly timeout: number },
) {
  const result = await autocannon({
    ...extent,
    url: options.url,
    connections: options.connections,
    headers: { ...options.headers },
    requests: [
      {
        method: options.method ?? "GET",
        setupRequest: (request) => {
          const { headers, ...next } = options.nextRequest();
          return { ...request, ...next, ...(headers && { headers: { ...request.headers, ...headers } }) };
        },
      },
    ],
  });
  const refused = options.redirects ? result["4xx"] + result["5xx"] : result.non2xx;
  return { result, outcome: { refused, errors: result.errors, answered: result.requests.total } };
}

/**
 * Keeps `connections` requests in flight for `seconds`, after a warm-up of one second. Rejects when any answer is not
 * 2xx (or a redirect, where one is good), when a connection fails, and when nothing is answered.
 */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const warmUp = await run(options, { duration: 1 });
  const { result, outcome } = await run(options, { duration: options.seconds });
  // Answers that take longer than the warm-up come in the round itself.
  const refused = outcome.refused + warmUp.outcome.refused;
  checkResponses(options, { ...outcome, refused, errors: outcome.errors + warmUp.outcome.errors });
  return {
    requests: warmUp.outcome.answered + outcome.answered,
    requestsPerSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
  };
}

/** Sends `count` requests, `connections` of them at a time. Rejects as `load` does. */
export async function loadCount(options: Requests, count: number): Promise<void> {
  // The timeout of one request is in seconds: a busy machine is slow, not wrong.
  const { outcome } = await run(options, { amount: count, timeout: 120 });
  checkResponses(options, outcome);
  if (outcome.answered !== count) throw new Error(`${outcome.answered} of ${count} requests were answered.`);
}
