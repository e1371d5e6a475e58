import { createHook } from "node:async_hooks";
import { createServer } from "node:http";
import { type AddressInfo, isIP } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type NameServer, startNameServer } from "@svc/testkit";
import { createEgressAgent, type EgressAgent } from "./egress-agent.ts";
import { postOnce } from "./post-once.ts";
import { createResolver } from "./resolve-host.ts";
import { accepted, refused } from "./testing/address-corpus.ts";

const strict = { allowInsecureTargets: false };
const local = { allowInsecureTargets: true };

/** All TCP connection attempts of this process. */
let connects = 0;
const hook = createHook({
  init(_id, type) {
    if (type === "TCPCONNECTWRAP") connects += 1;
  },
});

/** Listens at every address of this machine, to record all connections. */
let requestCount = 0;
const listener = createServer((_request, response) => {
  requestCount += 1;
  response.setHeader("connection", "close").end();
});
let port = 0;
let names: NameServer;
const addressesByName = new Map<string, readonly string[]>();
let resolveName = (name: string): readonly string[] => addressesByName.get(name) ?? [];
const agents: EgressAgent[] = [];

function agentFor(policy: typeof strict): EgressAgent {
  const agent = createEgressAgent({ ...policy, resolve: createResolver([names.address]) });
  agents.push(agent);
  return agent;
}

/** Addresses in one notation only: a name server returns bytes. */
const corpus = refused.filter((address) => !address.includes("%"));

beforeAll(async () => {
  await new Promise<void>((resolve) => listener.listen(0, "::", resolve));
  port = (listener.address() as AddressInfo).port;
  names = await startNameServer((name) => resolveName(name));
  hook.enable();
});
afterAll(async () => {
  hook.disable();
  await Promise.all(agents.map((agent) => agent.destroy()));
  await names.close();
  listener.closeAllConnections();
  listener.close();
});

describe("no connection is attempted to a refused address", () => {
  const faultsOf = async (policy: typeof strict, urls: readonly string[]) => {
    const agent = agentFor(policy);
    const others: [string, string | undefined][] = [];
    for (let start = 0; start < urls.length; start += 20) {
      const some = urls.slice(start, start + 20).map(async (url) => {
        const { error } = await postOnce(agent, policy, { url, headers: {}, body: "{}" });
        if (error?.fault !== "blocked_address") others.push([url, error?.fault]);
      });
      await Promise.all(some);
    }
    return others;
  };

  test("given in the URL", async () => {
    const urls = corpus.map((one) => `https://${isIP(one) === 6 ? `[${one}]` : one}:${port}/`);
    connects = 0;
    expect(urls.length).toBeGreaterThanOrEqual(200);
    expect(await faultsOf(strict, urls)).toEqual([]);
    expect([connects, requestCount]).toEqual([0, 0]);
  });

  test("that a name resolves to, alone or with a public one", async () => {
    corpus.forEach((address, index) => {
      addressesByName.set(`alone-${index}.example`, [address]);
      addressesByName.set(`beside-${index}.example`, [accepted[index % accepted.length] ?? "", address]);
    });
    const urls = [...addressesByName.keys()].map((name) => `https://${name}:${port}/`);
    connects = 0;
    expect(await faultsOf(strict, urls)).toEqual([]);
    expect(names.asked).toBeGreaterThanOrEqual(2 * urls.length);
    expect([connects, requestCount]).toEqual([0, 0]);
  });

  test("when local development is allowed, except loopback", async () => {
    const others = corpus.filter((one) => !/^127\.|^::1$|^0{1,4}(:0{1,4}){6}:0{0,3}1$/.test(one));
    const urls = others.map((one) => `http://${isIP(one) === 6 ? `[${one}]` : one}:${port}/`);
    connects = 0;
    expect(await faultsOf(local, urls)).toEqual([]);
    expect([connects, requestCount]).toEqual([0, 0]);
  });
});

test("a name that alternates between two addresses reaches only the checked one, in 1,000 tries", async () => {
  const forbidden = ["0.0.0.0", "::ffff:127.0.0.1", "169.254.169.254", "::"];
  let question = 0;
  resolveName = () => {
    question += 1;
    // A and AAAA are queried together: two queries per try.
    const round = (question - 1) >> 1;
    return round % 2 === 0 ? ["127.0.0.1"] : [forbidden[(round >> 1) % forbidden.length] ?? ""];
  };
  const agent = agentFor(local);
  const faults: (string | null)[] = [];
  [connects, requestCount] = [0, 0];
  for (let attempt = 0; attempt < 1_000; attempt += 1) {
    const url = `http://rebound-${attempt}.example:${port}/`;
    const { error } = await postOnce(agent, local, { url, headers: {}, body: "{}" });
    faults.push(error?.fault ?? null);
  }
  const arrived = faults.filter((fault) => fault === null).length;
  const blocked = faults.filter((fault) => fault === "blocked_address").length;
  // A query repeated after a late answer swaps the two for the next name.
  expect([arrived, blocked].map((count) => Math.round(count / 100))).toEqual([5, 5]);
  expect(arrived + blocked).toBe(1_000);
  expect([connects, requestCount]).toEqual([arrived, arrived]);
}, 120_000);
