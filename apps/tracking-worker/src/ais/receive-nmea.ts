import { createSocket } from "node:dgram";
import { once } from "node:events";
import { connect } from "node:net";
import type { Instant } from "@svc/domain";
import type { AisSink } from "./ais-report.ts";
import type { AisSourceOf } from "./ais-source.ts";
import { lineLengthMax, NmeaSentences } from "./nmea-sentences.ts";

/** A receiver without a ship in range may be silent for hours; TCP keep-alive finds one that vanished. */
const keepAliveMs = 30_000;
const connectTimeoutMs = 10_000;

interface Receiving {
  readonly sink: AisSink;
  readonly now: () => Instant;
  readonly signal: AbortSignal;
  readonly onReceived: () => void;
}

/** Receives datagrams of one or more lines until the socket fails. */
export async function receiveDatagrams(
  { host, port }: AisSourceOf<"nmea-udp">,
  { sink, now, signal, onReceived }: Receiving,
): Promise<void> {
  const socket = createSocket({ type: host.includes(":") ? "udp6" : "udp4", signal });
  const sentences = new NmeaSentences(sink);
  socket.on("message", (datagram) => {
    onReceived();
    for (const line of datagram.toString("latin1").split(/\r?\n/)) sentences.readLine(line, now());
  });
  const closed = once(socket, "close");
  socket.bind(port, host);
  try {
    await closed;
  } catch (error) {
    socket.close();
    throw error;
  }
}

/** Connects to a receiver that serves lines over TCP, and reads until the connection ends. */
export async function receiveLines(
  { host, port }: AisSourceOf<"nmea-tcp">,
  { sink, now, signal, onReceived }: Receiving,
): Promise<void> {
  const socket = connect({ host, port, signal, keepAlive: true, keepAliveInitialDelay: keepAliveMs });
  socket.setEncoding("latin1");
  socket.setTimeout(connectTimeoutMs, () => socket.destroy(new Error("The receiver does not answer.")));
  socket.once("connect", () => socket.setTimeout(0));
  const sentences = new NmeaSentences(sink);
  let rest = "";
  /** The rest of a line that was too long and is counted already. */
  let isSkipping = false;
  for await (const chunk of socket as AsyncIterable<string>) {
    onReceived();
    const lines = (rest + chunk).split(/\r?\n/);
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (!isSkipping) sentences.readLine(line, now());
      isSkipping = false;
    }
    if (rest.length > lineLengthMax) {
      if (!isSkipping) sink.malformed();
      isSkipping = true;
      rest = "";
    }
  }
}
