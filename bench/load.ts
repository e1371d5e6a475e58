import autocannon from "autocannon";

export interface LoadResult {
  /** Answered, the warm-up included. */
  readonly requests: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface LoadRequest {
  readonly path: string;
  readonly body?: string;
  /** Beside those that all requests have. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface LoadOptions {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** A redirect is a good answer too. */
  readonly redirects?: boolean;
  readonly method?: "GET" | "PATCH" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  /** Makes each request anew, so that no two connections ask for the same at the same time. */
  readonly nextRequest: () => LoadRequest;
}

/** A round in which anything failed, or nothing was answered, is no measurement. */
function checkRound(options: LoadOptions, result: autocannon.Result): autocannon.Result {
  const refused = options.redirects ? result["4xx"] + result["5xx"] : result.non2xx;
  const what = `${options.method ?? "GET"} requests to ${options.url}`;
  if (refused + result.errors > 0) {
    const { errors, timeouts } = result;
    throw new Error(`Of ${what} ${refused} had a bad answer and ${errors} had none (${timeouts} timed out).`);
  }
  if (result.requests.total === 0) throw new Error(`No ${what} was answered in ${result.duration} s.`);
  return result;
}

/**
 * Keeps `connections` requests in the air for `seconds`, after a warm-up of one second. Rejects when any answer is not 2xx (or
 * a redirect, where one is good), when a connection fails, and when nothing is answered.
 */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const run = async (seconds: number) => {
    const result = await autocannon({
      url: options.url,
      connections: options.connections,
      duration: seconds,
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
    return checkRound(options, result);
  };
  const warmUp = await run(1);
  const result = await run(options.seconds);
  return {
    requests: warmUp.requests.total + result.requests.total,
    requestsPerSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
  };
}
