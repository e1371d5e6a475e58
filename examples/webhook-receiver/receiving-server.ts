import { createServer, type IncomingMessage, type Server } from "node:http";
import { type NotificationDocument, notificationLine, readNotification } from "./notification-line.ts";
import { findFault } from "./verify-signatures.ts";

export interface ReceivingOptions {
  /** Undefined while it is not known yet; what comes before is asked to come again. */
  readonly secret: () => string | undefined;
  readonly print: (line: string) => void;
}

const bodyBytesMax = 5_000_000;
const rememberedMax = 10_000;

async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += (chunk as Buffer).length;
    if (length > bodyBytesMax) return null;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

/** Remembers the latest ids: the same notification may be delivered more than once. */
function createMemory(): { has(id: string): boolean; add(id: string): void } {
  const handled = new Set<string>();
  return {
    has: (id) => handled.has(id),
    add(id) {
      handled.add(id);
      for (const oldest of handled) {
        if (handled.size <= rememberedMax) break;
        handled.delete(oldest);
      }
    },
  };
}

/** Answers 204 to what is verified, 401 to a bad signature. Not listening yet. */
export function createReceivingServer({ secret, print }: ReceivingOptions): Server {
  const memory = createMemory();

  const receive = async (request: IncomingMessage): Promise<number> => {
    if (request.method !== "POST") return 405;
    const body = await readBody(request);
    if (!body) return 413;
    const known = secret();
    if (known === undefined) return 503;
    const now = new Date();
    const fault = findFault(request.headers, body, known, now.getTime() / 1000);
    if (fault) {
      print(notificationLine(now, null, `refused: ${fault}`));
      return 401;
    }
    let document: NotificationDocument;
    try {
      document = readNotification(body);
    } catch {
      print(notificationLine(now, null, "refused: not a notification"));
      return 400;
    }
    const { id } = document.data;
    print(notificationLine(now, document, memory.has(id) ? "verified, seen before" : "verified"));
    // The id is added after the handling, never before: a stored one is acknowledged, whatever becomes of this process.
    memory.add(id);
    return 204;
  };

  return createServer((request, response) => {
    receive(request).then(
      (status) => response.writeHead(status).end(),
      () => response.destroy(),
    );
  });
}
