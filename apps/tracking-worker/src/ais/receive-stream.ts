import { Agent, WebSocket } from "undici";
import type { AisSink } from "./ais-report.ts";
import type { AisSourceOf } from "./ais-source.ts";
import { readStreamMessage, streamMessageTypes } from "./aisstream.ts";

/** A message of the stream has about 1 kB. */
const messageBytesMax = 64 * 1024;
/** The stream drops connections silently; a worldwide subscription is never quiet for so long. */
const silentAfterMs = 120_000;

/** Receives from AISstream until the connection ends or is silent. Errors hold no address and no key. */
export async function receiveStream(
  { url, apiKey, boundingBoxes }: AisSourceOf<"aisstream">,
  sink: AisSink,
  signal: AbortSignal,
  onReceived: () => void,
): Promise<void> {
  const dispatcher = new Agent({ webSocket: { maxPayloadSize: messageBytesMax } });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = new WebSocket(url, { dispatcher });
  socket.binaryType = "arraybuffer";
  const end = (error?: Error): void => {
    if (error === undefined) resolve();
    else reject(error);
    socket.close();
  };
  const silence = setTimeout(() => end(new Error("The stream is silent.")), silentAfterMs);
  socket.addEventListener("open", () => {
    // The stream closes connections that do not subscribe within three seconds.
    const subscription = { APIKey: apiKey, BoundingBoxes: boundingBoxes, FilterMessageTypes: streamMessageTypes };
    socket.send(JSON.stringify(subscription));
  });
  socket.addEventListener("message", ({ data }: { readonly data: string | ArrayBuffer }) => {
    silence.refresh();
    try {
      readStreamMessage(typeof data === "string" ? data : Buffer.from(data).toString("utf8"), sink);
      onReceived();
    } catch (error) {
      end(error as Error);
    }
  });
  socket.addEventListener("close", ({ code }) => end(new Error(`The stream closed the connection (code ${code}).`)));
  socket.addEventListener("error", () => end(new Error("The connection to the stream failed.")));
  const abort = () => end();
  signal.addEventListener("abort", abort, { once: true });
  try {
    await promise;
  } finally {
    clearTimeout(silence);
    signal.removeEventListener("abort", abort);
    await dispatcher.destroy();
  }
}
