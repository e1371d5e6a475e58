import { hash } from "node:crypto";

/**
 * The id of a stop, which has no row: a UUID of version 8 from the SHA-256 of its identity (RFC 9562, B.2), so that it
 * stays the same in every response.
 */
export function routeLocationId(containerId: string, stopKey: string): string {
  const digits = hash("sha256", `route_location ${containerId} ${stopKey}`, "hex");
  const variant = ((Number.parseInt(digits.charAt(16), 16) & 0x3) | 0x8).toString(16);
  const groups = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ];
  return groups.join("-");
}
