import fs from "node:fs";
import type { DestinationStream } from "pino";

/** Destination of a log. Writes without blocking, and drops lines that cannot be written. */
export interface LogSink extends DestinationStream {
  /** Number of lines dropped because the log could not be written. */
  droppedLines(): number;
}

/** Lines are written in batches, because one write call for each line costs more than the line itself. */
const batchLength = 8_192;
const flushEveryMs = 100;
/** Maximum size of the buffer while the reader of the log is slow. */
const bufferedMax = 1_048_576;
/** How long the exiting process waits for a slow reader. */
const lastFlushMs = 1_000;
const newline = 0x0a;

/**
 * Makes a pipe or socket non-blocking, so that a reader that stops reading cannot block the process. Node does this
 * when it creates `process.stdout` or `process.stderr`; files and terminals are not affected.
 */
function setNonBlocking(fd: 1 | 2): void {
  const stream = fd === 1 ? process.stdout : process.stderr;
  // A closed pipe (EPIPE) must not end the process.
  stream.on("error", () => undefined);
}

/**
 * A log on stdout or stderr. A failing log neither ends nor blocks the process: up to 1 MiB is buffered while the
 * reader is slow. Beyond that, and when the reader is closed or the disk is full, lines are dropped and counted.
 */
export function createLogSink(fd: 1 | 2): LogSink {
  setNonBlocking(fd);
  /** Lines that are not written yet, and the rest of a partly written batch. */
  let lines = "";
  let rest: Buffer = Buffer.alloc(0);
  let isSlow = false;
  let dropped = 0;
  let isScheduled = false;

  const flush = (): void => {
    isSlow = false;
    while (rest.length > 0 || lines !== "") {
      if (rest.length === 0) {
        rest = Buffer.from(lines);
        lines = "";
      }
      try {
        rest = rest.subarray(fs.writeSync(fd, rest));
      } catch (error) {
        isSlow = (error as NodeJS.ErrnoException).code === "EAGAIN";
        if (isSlow) return;
        dropped += rest.reduce((count, byte) => count + Number(byte === newline), 0);
        rest = Buffer.alloc(0);
      }
    }
  };

  const flushLater = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setTimeout(() => {
      isScheduled = false;
      flush();
      if (isSlow) flushLater();
    }, flushEveryMs).unref();
  };

  process.on("exit", () => {
    const pause = new Int32Array(new SharedArrayBuffer(4));
    const deadlineMs = performance.now() + lastFlushMs;
    flush();
    while (isSlow && performance.now() < deadlineMs) {
      Atomics.wait(pause, 0, 0, 10);
      flush();
    }
  });

  return {
    droppedLines: () => dropped,
    write(line) {
      if (rest.length + lines.length > bufferedMax) {
        dropped += 1;
        return;
      }
      lines += line;
      if (lines.length >= batchLength && !isSlow) flush();
      else flushLater();
    },
  };
}
