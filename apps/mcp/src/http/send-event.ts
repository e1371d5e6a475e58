import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import type { Response } from "express";

/** Interval below the time after which proxies close an idle connection: a person may take longer for a question. */
const keepAliveMs = 15_000;

/**
 * Writes a message as an event; the first begins the stream, the last ends it. Only a response with preceding
 * notifications is a stream, all others are JSON. Returns the bytes of the message.
 */
export function sendEvent(response: Response, message: JSONRPCMessage, position?: "last"): number {
  if (!response.headersSent) {
    response
      .status(200)
      .set({ "Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no" });
    const timer = setInterval(() => response.write(": waiting\n\n"), keepAliveMs);
    response.once("close", () => clearInterval(timer));
  }
  const text = JSON.stringify(message);
  response.write(`event: message\ndata: ${text}\n\n`);
  if (position === "last") response.end();
  return Buffer.byteLength(text);
}
