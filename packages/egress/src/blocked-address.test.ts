import { describe, expect, test } from "@jest/globals";
import { isBlockedAddress, isLoopbackAddress } from "./blocked-address.ts";
import { accepted, refused } from "./testing/address-corpus.ts";

describe("blocked addresses", () => {
  test("the tables are complete", () => {
    expect(new Set(refused).size).toBeGreaterThanOrEqual(200);
    expect(new Set(accepted).size).toBeGreaterThanOrEqual(30);
  });
  test.each(refused)("%s is refused", (address) => {
    expect(isBlockedAddress(address)).toBe(true);
  });
  test.each(accepted)("%s is accepted", (address) => {
    expect(isBlockedAddress(address)).toBe(false);
  });
  test.each(["", "localhost", "example.com", "127.1", "0x7f000001", "2130706433", "127.0.0.1:80", "[::1]", "1.2.3.4 "])(
    "%p is not an address, so it is refused",
    (text) => {
      expect(isBlockedAddress(text)).toBe(true);
    },
  );
  test("loopback is distinguished from other refused addresses", () => {
    expect(["127.0.0.1", "127.255.255.255", "::1", "0:0:0:0:0:0:0:1"].every(isLoopbackAddress)).toBe(true);
    const others = ["::ffff:127.0.0.1", "::ffff:7f00:1", "::127.0.0.1", "10.0.0.1", "128.0.0.1", "::2", "::1%lo", "x"];
    expect(others.some(isLoopbackAddress)).toBe(false);
  });
});
