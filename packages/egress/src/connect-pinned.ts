import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { EgressError } from "./egress-error.ts";
import { bareHost, checkAddress, type EgressPolicy, isLocalName } from "./egress-target.ts";
import { firstConnection } from "./first-connection.ts";
import type { ResolveHost } from "./resolve-host.ts";

export interface PinnedTarget {
  readonly hostname: string;
  readonly port: number;
  readonly secure: boolean;
}

const connectTimeoutMs = 5_000;
const tlsFault = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_OSSL|EPROTO|HOSTNAME_MISMATCH)/;

function asEgressError(error: unknown): EgressError {
  if (error instanceof EgressError) return error;
  const { code = "" } = error as { code?: string };
  if (tlsFault.test(code)) return new EgressError("tls_error", `The TLS handshake failed (${code}).`, { cause: error });
  const words = code === "" ? "The connection failed." : `The connection failed (${code}).`;
  return new EgressError("connection_failed", words, { cause: error });
}

async function addressesOf(host: string, resolve: ResolveHost): Promise<readonly string[]> {
  if (isIP(host)) return [host];
  if (isLocalName(host)) return ["127.0.0.1"];
  try {
    return await resolve(host);
  } catch (error) {
    throw new EgressError("dns_error", "The name of the host could not be resolved.", { cause: error });
  }
}

/** Connects to one address. The certificate is checked against the host of the URL: its name, or the address that stands there. */
function connectTo(address: string, target: PinnedTarget, policy: EgressPolicy, signal: AbortSignal): Promise<Socket> {
  const host = bareHost(target.hostname);
  return new Promise((resolve, reject) => {
    const socket = target.secure
      ? connectTls({
          host: address,
          port: target.port,
          servername: isIP(host) ? "" : host,
          ALPNProtocols: ["http/1.1"],
        })
      : connectTcp({ host: address, port: target.port });
    socket.setNoDelay(true);
    const fail = (error: unknown) => {
      socket.destroy();
      reject(asEgressError(error));
    };
    const onAbort = () => fail(signal.reason);
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    socket.once("error", fail);
    socket.once("close", () => signal.removeEventListener("abort", onAbort));
    socket.once(target.secure ? "secureConnect" : "connect", () => {
      try {
        // Whatever went wrong before this line, nothing is written to an address that is refused.
        checkAddress(socket.remoteAddress ?? "", policy);
      } catch (error) {
        return fail(error);
      }
      signal.removeEventListener("abort", onAbort);
      socket.off("error", fail);
      resolve(socket);
    });
  });
}

/**
 * A connection to a host whose every address has been judged before the first is tried, made to the very address that was
 * judged: a name that changes its mind between the check and the connection changes nothing. Silent addresses delay by a
 * moment each, they do not use up the time. Rejects with EgressError; within 5 s at most, the search for the name and the TLS
 * handshake included.
 */
export async function connectPinned(target: PinnedTarget, policy: EgressPolicy, resolve: ResolveHost): Promise<Socket> {
  const late = new AbortController();
  const tooLate = Promise.withResolvers<never>();
  tooLate.promise.catch(() => undefined);
  const timer = setTimeout(() => {
    const words = `No connection was made within ${connectTimeoutMs / 1000} seconds.`;
    const error = new EgressError("connect_timeout", words);
    late.abort(error);
    tooLate.reject(error);
  }, connectTimeoutMs);
  try {
    const addresses = await Promise.race([addressesOf(bareHost(target.hostname), resolve), tooLate.promise]);
    for (const address of addresses) checkAddress(address, policy);
    return await firstConnection(
      addresses,
      (address, signal) => connectTo(address, target, policy, signal),
      late.signal,
    );
  } finally {
    clearTimeout(timer);
  }
}
