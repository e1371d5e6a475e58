import { z } from "zod";

export interface RedisNode {
  readonly host: string;
  readonly port: number;
}

interface Credentials {
  readonly username?: string;
  readonly password?: string;
}

interface Address extends Credentials {
  readonly isTls: boolean;
  /** Nodes at which a connection starts: the server, the sentinels, or some servers of the cluster. */
  readonly nodes: readonly [RedisNode, ...RedisNode[]];
}

/** One Redis: a server, a master that Sentinel watches, or a cluster. */
export type RedisAddress =
  | (Address & { readonly topology: "server" })
  | (Address & {
      readonly topology: "sentinel";
      /** Name of the master in the sentinels' configuration. */
      readonly master: string;
      readonly database: number;
      /** Credentials of the sentinels themselves, often others than those of the servers, or none. */
      readonly sentinelCredentials: Credentials;
    })
  | (Address & { readonly topology: "cluster" });

/** An address that cannot be used. The message names what to change and contains no part of the address. */
class RedisAddressError extends TypeError {
  constructor(message: string) {
    super(message);
    this.name = "RedisAddressError";
  }
}

/** The forms of an address, for messages. */
export const redisForms =
  "redis://host:6379, redis+sentinel://host:26379,host:26379/master or redis+cluster://host:6379,host:6379 (rediss for TLS)";

const form =
  /^(?<scheme>rediss?)(?:\+(?<topology>sentinel|cluster))?:\/\/(?:(?<credentials>[^@/?#]*)@)?(?<nodes>[^@/?#]*)(?:\/(?<path>[^@?#]*))?(?:\?(?<options>[^#]*))?$/;
const defaultPort = { server: 6_379, sentinel: 26_379, cluster: 6_379 } as const;
const sentinelOptions = ["sentinelUsername", "sentinelPassword"];

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new RedisAddressError("the user and the password must be percent-encoded");
  }
}

function readCredentials(username: string | undefined, password: string | undefined): Credentials {
  return { ...(username && { username }), ...(password && { password }) };
}

function readNode(text: string, port: number): RedisNode {
  const url = URL.canParse(`redis://${text}`) ? new URL(`redis://${text}`) : undefined;
  if (!url?.hostname) throw new RedisAddressError("each host must be a name or an address with an optional port");
  return { host: url.hostname.replace(/^\[(.*)\]$/, "$1"), port: url.port ? Number(url.port) : port };
}

/** Reads one of the forms of an address. Throws RedisAddressError. */
export function parseRedisAddress(text: string): RedisAddress {
  const parts = form.exec(text)?.groups;
  if (!parts) throw new RedisAddressError(`must be ${redisForms}; "@", "/", "?" and "#" of a password percent-encoded`);
  const topology = (parts.topology ?? "server") as RedisAddress["topology"];
  const [first, ...others] = (parts.nodes ?? "").split(",").map((node) => readNode(node, defaultPort[topology]));
  if (!first) throw new RedisAddressError("must name a host");
  const colon = parts.credentials?.indexOf(":") ?? -1;
  const [username, password] =
    colon < 0 ? [parts.credentials] : [parts.credentials?.slice(0, colon), parts.credentials?.slice(colon + 1)];
  const common = {
    isTls: parts.scheme === "rediss",
    nodes: [first, ...others] as const,
    ...readCredentials(username && decode(username), password && decode(password)),
  };
  const [name = "", database = "0", ...rest] = (parts.path ?? "").split("/");
  if (topology === "server") {
    if (others.length > 0)
      throw new RedisAddressError("several hosts need redis+sentinel:// or redis+cluster:// (rediss for TLS)");
    return { topology, ...common };
  }
  const options = new URLSearchParams(parts.options);
  if (topology === "cluster") {
    if (name !== "" || options.size > 0)
      throw new RedisAddressError("a cluster has one database and no options: nothing may follow its hosts");
    return { topology, ...common };
  }
  if (name === "" || rest.length > 0 || !/^\d+$/.test(database))
    throw new RedisAddressError("the name of the master must follow the sentinels, and may be followed by a database");
  if ([...options.keys()].some((option) => !sentinelOptions.includes(option)))
    throw new RedisAddressError(`the options of sentinels are ${sentinelOptions.join(" and ")}`);
  const [sentinelUsername, sentinelPassword] = sentinelOptions.map((option) => options.get(option) ?? undefined);
  return {
    topology,
    ...common,
    master: decode(name),
    database: Number(database),
    sentinelCredentials: readCredentials(sentinelUsername, sentinelPassword),
  };
}

/** A variable that holds the address of a Redis, as text. */
export const redisAddress = z.string().superRefine((text, context) => {
  try {
    parseRedisAddress(text);
  } catch (error) {
    context.addIssue({ code: "custom", message: (error as Error).message });
  }
});
