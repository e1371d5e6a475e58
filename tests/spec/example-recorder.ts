import fs from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { eventually, startWebhookSink } from "@svc/testkit";
import type { ApiResponse, Document, Resource } from "../e2e/harness/api-client.ts";
import { startSystem, temporaryFolder } from "../e2e/harness/system.ts";
import { type ApiExamples, shortened } from "./api-examples.ts";

export interface ExampleRecorder {
  /** Recorded examples by operation. */
  readonly examples: Record<string, ApiExamples[string]>;
  /** A receiver of webhooks. */
  readonly receiverUrl: string;
  /** Makes a call such as `POST /parties`; throws unless it succeeds. */
  send(call: string, body?: unknown): Promise<ApiResponse>;
  /** Makes a call and records it as the example of an operation; its address may have a query. */
  record(operationId: string, call: string, body?: unknown): Promise<Document>;
  /** Resolves with the first record of a list that the condition accepts. */
  firstOf(list: string, accepts?: (record: Resource) => boolean): Promise<Resource>;
  stop(): Promise<void>;
}

/** Repeats a call that is beyond the rate limit once the limit allows it. */
async function patiently(call: () => Promise<ApiResponse>): Promise<ApiResponse> {
  for (;;) {
    const response = await call();
    if (response.status !== 429) return response;
    await delay(Number(response.headers.get("retry-after")) * 1_000);
  }
}

/** Starts a system with the sandbox carrier, whose calls it records. */
export async function startExampleRecorder(): Promise<ExampleRecorder> {
  const dataDir = temporaryFolder();
  const [system, sink] = await Promise.all([startSystem({ dataDir }), startWebhookSink()]);
  const { api, app, sandbox } = system.runtime();
  const addresses = {
    [api]: "http://localhost:4000",
    [app]: "http://localhost:4002",
    [sandbox]: "http://localhost:4003",
    [sink.url]: "https://example.com",
  };
  const examples: Record<string, ApiExamples[string]> = {};

  const send = async (call: string, body?: unknown): Promise<ApiResponse> => {
    const [method = "", address = ""] = call.split(" ");
    const response = await patiently(() => system.api.request(method, address, body === undefined ? {} : { body }));
    if (response.status >= 300) throw new Error(`${call}: ${response.status} ${JSON.stringify(response.body)}`);
    return response;
  };

  return {
    examples,
    receiverUrl: sink.url,
    send,

    record: async (operationId, call, body) => {
      const response = await send(call, body);
      examples[operationId] = {
        ...(body !== undefined && { request: shortened(body, addresses) }),
        ...(response.body !== undefined && { status: response.status, response: shortened(response.body, addresses) }),
      };
      return response.body;
    },

    firstOf: (list, accepts = () => true) =>
      eventually(
        `a record of ${list}`,
        async () => {
          await delay(1_000);
          const { body } = await patiently(() => system.api.get(list));
          return body.data.find(accepts);
        },
        180_000,
      ),

    stop: async () => {
      await Promise.all([system.stop(), sink.close()]);
      fs.rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
