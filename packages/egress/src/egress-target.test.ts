import { describe, expect, test } from "@jest/globals";
import { addressRanges } from "./address-ranges.ts";
import { EgressError } from "./egress-error.ts";
import { parseTarget } from "./egress-target.ts";

const strict = { allowInsecureTargets: false };
const local = { allowInsecureTargets: true };

describe("targets", () => {
  test.each([
    "https://127.0.0.1/",
    "https://127.1/",
    "https://127.0.1/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0x7f.1/",
    "https://0x7f.0x0.0x0.0x1/",
    "https://017700000001/",
    "https://0177.0.0.1/",
    "https://0177.0.0.01/",
    "https://127.0.0.1./",
    "https://１２７.0.0.1/",
    "https://127。0。0。1/",
    "https://127.0.0.1:8443/",
    "https://%31%32%37.0.0.1/",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:7f00:1]/",
    "https://[0:0:0:0:0:0:0:1]/",
    "https://[fd00:ec2::254]/latest/meta-data",
    "https://169.254.169.254/latest/meta-data",
    "https://0xa9fea9fe/",
    "https://2852039166/",
    "https://0/",
    "https://0.0.0.0/",
    "https://10.0.0.1/",
    "https://172.17.0.1/",
    "https://192.168.0.1/",
    "https://localhost/",
    "https://LOCALHOST/",
    "https://localhost./",
    "https://redis.localhost/",
    "https://ⓛocalhost/",
  ])("%s is refused as a non-public address", (url) => {
    expect(() => parseTarget(url, strict)).toThrow("not at a public address");
  });

  test.each([
    "http://example.com/",
    "ftp://example.com/",
    "file:///etc/passwd",
    "gopher://example.com/",
    "javascript:alert(1)",
    "https://user@example.com/",
    "https://user:secret@example.com/",
    "https://example.com:secret@10.0.0.1/",
    "https://[fe80::1%25eth0]/",
    "https://",
    "example.com",
    "",
  ])("%s is refused: not an https URL, or with credentials", (url) => {
    expect(() => parseTarget(url, strict)).toThrow(expect.objectContaining({ fault: "invalid_target" }));
  });

  test.each([
    "https://example.com/hook",
    "https://example.com.:8443/hook?a=b",
    "https://bücher.example/hook",
    "https://93.184.216.34/hook",
    "https://[2606:4700:4700::1111]/hook",
  ])("%s is accepted", (url) => {
    expect(parseTarget(url, strict).protocol).toBe("https:");
  });

  test("local development allows http and loopback, but no other non-public address", () => {
    for (const url of [
      "http://localhost:3000/",
      "http://127.0.0.1:3000/",
      "http://[::1]:3000/",
      "http://example.com/",
    ]) {
      expect(parseTarget(url, local).protocol).toBe("http:");
    }
    for (const url of [
      "http://10.0.0.1/",
      "http://169.254.169.254/",
      "http://[::ffff:127.0.0.1]/",
      "http://0.0.0.0/",
    ]) {
      expect(() => parseTarget(url, local)).toThrow("not at a public address");
    }
  });
});

describe("networks allowed or denied by the operator", () => {
  const policy = (allow: readonly string[], deny: readonly string[]) => ({
    allowInsecureTargets: false,
    allowed: addressRanges(allow),
    denied: addressRanges(deny),
  });

  test("accepts a private address in SVC_EGRESS_ALLOW, and no other", () => {
    const opened = policy(["10.1.0.0/16", "fd00::7"], []);
    for (const host of ["10.1.0.1", "10.1.255.255", "[fd00::7]"]) {
      expect(parseTarget(`https://${host}/`, opened).hostname).toBe(host);
    }
    for (const host of ["10.2.0.1", "[fd00::8]", "127.0.0.1", "[::ffff:10.1.0.1]"]) {
      expect(() => parseTarget(`https://${host}/`, opened)).toThrow("not at a public address");
    }
  });

  test("refuses a public address in SVC_EGRESS_DENY", () => {
    const closed = policy([], ["93.184.216.0/24", "2606:4700::/32"]);
    for (const host of ["93.184.216.34", "[2606:4700::1111]"]) {
      expect(() => parseTarget(`https://${host}/`, closed)).toThrow("operator of this service allows no connections");
    }
    expect(parseTarget("https://93.184.217.34/", closed).hostname).toBe("93.184.217.34");
  });

  test("refuses an address that is in both lists", () => {
    expect(() => parseTarget("https://10.1.0.5/", policy(["10.1.0.0/16"], ["10.1.0.5"]))).toThrow(EgressError);
    const local = { ...policy([], ["127.0.0.0/8"]), allowInsecureTargets: true };
    expect(() => parseTarget("http://localhost/", local)).toThrow(EgressError);
  });

  test("refuses the host service of a cloud's virtual machines, 168.63.129.16", () => {
    expect(() => parseTarget("http://168.63.129.16/machine", local)).toThrow("not at a public address");
  });

  test.each(["10.1.0.0/33", "10.1.0", "fe80::1%eth0", "example.com", "10.0.0.0/8/8", "::/129", "10.0.0.1/-1", ""])(
    "%p is no network",
    (text) => {
      expect(() => addressRanges([text])).toThrow("is not an IP address or a network");
    },
  );
});
