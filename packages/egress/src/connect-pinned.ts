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
const tlsErrorCode = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_OSSL|EPROTO|HOSTNAME_MISMATCH)/;

function asEgressError(error: unknown): EgressError {
  if (error instanceof EgressError) return error;
  const { code = "" } = error as { code?: string };
  if (tlsErrorCode.test(code))
    return new EgressError("tls_error", `The TLS handshake failed (${code}).`, { cause: error });
  const message = code === "" ? "The connection failed." : `The connection failed (${code}).`;
  return new EgressError("connection_failed", message, { cause: error });
}

async function resolveAddresses(host: string, resolve: ResolveHost): Promise<readonly string[]> {
  if (isIP(host)) return [host];
  if (isLocalName(host)) return ["127.0.0.1"];
  try {
    return await resolve(host);
  } catch (error) {
    throw new EgressError("dns_error", "The name of the host could not be resolved.", { cause: error });
  }
}

/** Connects to one address. The certificate is verified against the host of the URL, a name or an address. */
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
        // Second line of defence: nothing is ever written to a refused address.
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
 * Connects to a host after all its addresses have been checked, and to exactly those addresses, so DNS rebinding has no
 * effect. Addresses are tried as in Happy Eyeballs (RFC 8305), so a silent one does not use up the timeout. Rejects
 * with EgressError within 5 s, including name resolution and TLS handshake.
 */
export async function connectPinned(target: PinnedTarget, policy: EgressPolicy, resolve: ResolveHost): Promise<Socket> {
  const late = new AbortController();
  const tooLate = Promise.withResolvers<never>();
  tooLate.promise.catch(() => undefined);
  const timer = setTimeout(() => {
    const message = `No connection was made within ${connectTimeoutMs / 1000} seconds.`;
    const error = new EgressError("connect_timeout", message);
    late.abort(error);
    tooLate.reject(error);
  }, connectTimeoutMs);
  try {
    const addresses = await Promise.race([resolveAddresses(bareHost(target.hostname), resolve), tooLate.promise]);
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
