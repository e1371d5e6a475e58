import { createSocket, type RemoteInfo } from "node:dgram";
import { isIP } from "node:net";

/** A DNS server for tests, over UDP. */
export interface NameServer {
  /** `127.0.0.1:<port>`. */
  readonly address: string;
  /** Number of queries so far. */
  readonly asked: number;
  close(): Promise<void>;
}

const types = { 1: "A", 28: "AAAA" } as const;

/** The addresses of a name, of either type; null: the query is dropped. */
export type ResolveName = (
  name: string,
  type: "A" | "AAAA" | undefined,
) => readonly string[] | null | Promise<readonly string[] | null>;

/** 16 bytes of an IPv6 address. */
function v6Bytes(address: string): Buffer {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const hex = (high: string | undefined, low: string | undefined) => ((Number(high) << 8) | Number(low)).toString(16);
  const text = dotted ? `${dotted[1]}${hex(dotted[2], dotted[3])}:${hex(dotted[4], dotted[5])}` : address;
  const [head = "", tail] = text.split("::");
  const groups = (part: string) => (part === "" ? [] : part.split(":"));
  const [left, right] = [groups(head), groups(tail ?? "")];
  const all = tail === undefined ? left : [...left, ...Array(8 - left.length - right.length).fill("0"), ...right];
  return Buffer.from(all.map((group) => group.padStart(4, "0")).join(""), "hex");
}

function record(address: string): Buffer {
  const data = isIP(address) === 4 ? Buffer.from(address.split(".").map(Number)) : v6Bytes(address);
  const head = Buffer.alloc(12);
  // A pointer to the name in the question section; class IN; a TTL of 0.
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(isIP(address) === 4 ? 1 : 28, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

/** Responds to every query with the addresses of `resolve` that have the requested type. */
export async function startNameServer(resolve: ResolveName): Promise<NameServer> {
  let queryCount = 0;
  const socket = createSocket("udp4");
  let isClosed = false;
  const reply = async (query: Buffer, from: RemoteInfo): Promise<void> => {
    queryCount += 1;
    const labels: string[] = [];
    let at = 12;
    for (let size = query[at] ?? 0; size > 0; size = query[at] ?? 0) {
      labels.push(query.toString("latin1", at + 1, at + 1 + size));
      at += 1 + size;
    }
    const end = at + 5;
    const type = types[query.readUInt16BE(at + 1) as keyof typeof types];
    const addresses = await resolve(labels.join(".").toLowerCase(), type);
    if (addresses === null || isClosed) return;
    const matching = addresses.filter((one) => (isIP(one) === 4 ? "A" : "AAAA") === type);
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(0x8180, 2);
    head.writeUInt16BE(matching.length, 6);
    head.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([head, query.subarray(12, end), ...matching.map(record)]), from.port, from.address);
  };
  socket.on("message", (query, from) => void reply(query, from));
  await new Promise<void>((ready) => socket.bind(0, "127.0.0.1", ready));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    get asked() {
      return queryCount;
    },
    close: () => {
      isClosed = true;
      return new Promise((closed) => void socket.close(() => closed()));
    },
  };
}
