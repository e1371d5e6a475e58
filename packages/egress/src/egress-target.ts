import { isIP } from "node:net";
import type { AddressRanges } from "./address-ranges.ts";
import { isBlockedAddress, isLoopbackAddress } from "./blocked-address.ts";
import { EgressError } from "./egress-error.ts";

export interface EgressPolicy {
  /** Also http, and hosts of loopback. For local development only. */
  readonly allowInsecureTargets: boolean;
  /** Private networks that the operator opens, for example those of receivers in the same cluster. */
  readonly allowed?: AddressRanges;
  /** Networks that the operator closes, even where they are public or in `allowed`. */
  readonly denied?: AddressRanges;
}

/** The host of a URL without the brackets of an IPv6 address and without the dot at the end of an absolute name. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}

export const isLocalName = (host: string): boolean => host === "localhost" || host.endsWith(".localhost");

/** Whether a URL points to this very machine. */
export function isLoopbackUrl(url: URL): boolean {
  const host = bareHost(url.hostname);
  return isLocalName(host) || isLoopbackAddress(host);
}

/** Throws EgressError unless the policy lets us connect to the IP address. */
export function checkAddress(address: string, policy: EgressPolicy): void {
  if (policy.denied?.includes(address)) {
    throw new EgressError("blocked_address", "The operator of this service allows no connections to the host.");
  }
  if (policy.allowInsecureTargets && isLoopbackAddress(address)) return;
  if (isBlockedAddress(address) && !policy.allowed?.includes(address)) {
    throw new EgressError("blocked_address", "The host is not at a public address, so nothing is sent to it.");
  }
}

/**
 * A target as a URL, judged by all that can be told without the network: the scheme, credentials in the URL, addresses
 * in any notation. Names are judged again when they are resolved. Throws EgressError.
 */
export function parseTarget(text: string, policy: EgressPolicy): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) throw new EgressError("invalid_target", "The target is not a URL.");
  const schemes = policy.allowInsecureTargets ? ["https:", "http:"] : ["https:"];
  if (!schemes.includes(url.protocol)) throw new EgressError("invalid_target", "The target must be an https:// URL.");
  if (url.username || url.password) {
    throw new EgressError("invalid_target", "The target must not carry a user name or password; use a header.");
  }
  const host = bareHost(url.hostname);
  if (isIP(host)) checkAddress(host, policy);
  else if (isLocalName(host)) checkAddress("127.0.0.1", policy);
  return url;
}
