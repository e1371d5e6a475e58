import { isIP } from "node:net";
import type { AddressRanges } from "./address-ranges.ts";
import { isBlockedAddress, isLoopbackAddress } from "./blocked-address.ts";
import { EgressError } from "./egress-error.ts";

export interface EgressPolicy {
  /** Allows http and loopback hosts too. For local development only. */
  readonly allowInsecureTargets: boolean;
  /** Private networks allowed by the operator, for example for receivers in the same cluster. */
  readonly allowed?: AddressRanges;
  /** Networks denied by the operator, even if public or in `allowed`. */
  readonly denied?: AddressRanges;
}

/** The host of a URL without the brackets of an IPv6 address and the trailing dot of an absolute name. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}

export const isLocalName = (host: string): boolean => host === "localhost" || host.endsWith(".localhost");

/** Whether a URL points to loopback. */
export function isLoopbackUrl(url: URL): boolean {
  const host = bareHost(url.hostname);
  return isLocalName(host) || isLoopbackAddress(host);
}

/** Throws EgressError unless the policy allows the IP address. */
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
 * Parses a target URL and checks what is known without network access: scheme, credentials, addresses in any notation.
 * Names are checked when they are resolved. Throws EgressError.
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
