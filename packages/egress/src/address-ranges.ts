import { BlockList, isIP } from "node:net";

/** A set of networks. Text that is not an IP address is in none. */
export interface AddressRanges {
  readonly size: number;
  includes(address: string): boolean;
}

/** One address or a network in CIDR notation, for example `10.1.0.0/16` or `fd00::1`. */
export function isAddressRange(text: string): boolean {
  const [address = "", prefix, ...rest] = text.split("/");
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  if (bits < 0 || address.includes("%") || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
}

/** Throws RangeError for a text that is neither an address nor a network. */
export function addressRanges(texts: readonly string[]): AddressRanges {
  // One list per family, because a BlockList treats an IPv4 address and its IPv4-mapped form as equal.
  const lists = { 4: new BlockList(), 6: new BlockList() };
  for (const text of texts) {
    if (!isAddressRange(text)) throw new RangeError(`${text} is not an IP address or a network such as 10.1.0.0/16.`);
    const [address = "", prefix] = text.split("/");
    const family = isIP(address) as 4 | 6;
    lists[family].addSubnet(address, Number(prefix ?? (family === 4 ? 32 : 128)), `ipv${family}`);
  }
  return {
    size: texts.length,
    includes(address) {
      const family = isIP(address);
      if (family === 4) return lists[4].check(address, "ipv4");
      return family === 6 && !address.includes("%") && lists[6].check(address, "ipv6");
    },
  };
}
