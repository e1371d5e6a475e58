import { request } from "undici";
import type { AisSink } from "./ais-report.ts";
import type { AisSourceOf } from "./ais-source.ts";
import { readHubReply } from "./aishub.ts";

const timeoutMs = 20_000;
const bytesMax = 4 * 1024 * 1024;
/** Keeps the address short. */
const vesselBatchMax = 200;

/** Polls AISHub for the vessels of the list, `vesselBatchMax` in each request, one group after the other. */
export class HubPoller {
  readonly #source: AisSourceOf<"aishub">;
  readonly #sink: AisSink;
  #next = 0;

  constructor(source: AisSourceOf<"aishub">, sink: AisSink) {
    this.#source = source;
    this.#sink = sink;
  }

  /** One request, or none without vessels. Errors hold no address and no name of a user. */
  async poll(imos: readonly string[], signal: AbortSignal): Promise<void> {
    if (imos.length === 0) return;
    if (this.#next >= imos.length) this.#next = 0;
    const polledImos = imos.slice(this.#next, this.#next + vesselBatchMax);
    this.#next += vesselBatchMax;
    const accepted = readHubReply(await this.#request(polledImos, signal), this.#sink);
    if (accepted === null) throw new Error("The reply is not one of AISHub.");
    if (!accepted) throw new Error("AISHub refused the request: check username, and everySeconds (at least 60).");
  }

  async #request(imos: readonly string[], signal: AbortSignal): Promise<string> {
    const { url, username } = this.#source;
    const query = { username, format: "1", output: "json", compress: "0", imo: imos.join(",") };
    const response = await request(url, {
      query,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    }).catch(() => {
      throw new Error("The request to AISHub failed.");
    });
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength;
      if (bytes > bytesMax) throw new Error("The reply of AISHub is too long.");
      chunks.push(chunk);
    }
    if (response.statusCode !== 200) throw new Error(`AISHub answered with status ${response.statusCode}.`);
    return Buffer.concat(chunks).toString("utf8");
  }
}
