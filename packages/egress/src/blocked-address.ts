import { isIP } from "node:net";
import { addressRanges } from "./address-ranges.ts";

/**
 * Addresses that are not public hosts, from the IANA special-purpose registries. IPv6 forms that embed an IPv4 address
 * (mapped, compatible, NAT64, 6to4, Teredo) are all refused, because their destination depends on the network.
 * 168.63.129.16 is a public address, but reaches the host of a virtual machine at one cloud provider.
 */
const blocked = addressRanges([
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "168.63.129.16",
  "::/8",
  "64:ff9b::/96",
  "64:ff9b:1::/48",
  "100::/64",
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "3fff::/20",
  "5f00::/16",
  "fc00::/7",
  "fe80::/10",
  "fec0::/10",
  "ff00::/8",
]);

const loopback = addressRanges(["127.0.0.0/8", "::1"]);

/** Whether connections to an IP address are refused. Text that is not an IP address is refused, too. */
export function isBlockedAddress(address: string): boolean {
  return isIP(address) === 0 || address.includes("%") || blocked.includes(address);
}

/** 127.0.0.0/8 and ::1. */
export const isLoopbackAddress = loopback.includes;
