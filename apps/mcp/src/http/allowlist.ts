import { isLoopbackHost } from "@svc/service-kit";

/** `example.com:4001` without its port; an IPv6 address keeps its brackets. */
function hostName(authority: string): string {
  return authority.replace(/:\d+$/, "");
}

/**
 * Whether the Host header names this server (DNS rebinding defence). Entries match with their port or, written without
 * one, with any. An empty list allows loopback names only.
 */
export function isAllowedHost(header: string | undefined, allowed: readonly string[]): boolean {
  if (header === undefined) return false;
  const host = header.toLowerCase();
  if (allowed.length === 0) return isLoopbackHost(hostName(host));
  return allowed.includes(host) || allowed.includes(hostName(host));
}

/**
 * Whether a browser page of that origin may call. No Origin header: not a browser. Entries are whole origins
 * (`https://app.example.com`) or host names. An empty list allows loopback origins only.
 */
export function isAllowedOrigin(header: string | undefined, allowed: readonly string[]): boolean {
  if (header === undefined) return true;
  const origin = header.toLowerCase();
  const authority = /^https?:\/\/([^/?#@]+)$/.exec(origin)?.[1];
  if (authority === undefined) return false;
  if (allowed.length === 0) return isLoopbackHost(hostName(authority));
  return allowed.includes(origin) || allowed.includes(authority) || allowed.includes(hostName(authority));
}
