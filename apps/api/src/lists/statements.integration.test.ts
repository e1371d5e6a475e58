import fs from "node:fs";
import { beforeAll, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { insertSharedPlaces } from "../testing/full-account.ts";
import {
  addressOf,
  addressWithAll,
  createFilledAccount,
  type FilledAccount,
  reads,
} from "../testing/read-addresses.ts";
import { startTestApi } from "../testing/start-test-api.ts";

const api = started(startTestApi);
let small: FilledAccount;
let large: FilledAccount;

beforeAll(async () => {
  const places = await insertSharedPlaces(api);
  // In a document with one of each, the included resource is often the primary one, which needs no statement.
  small = await createFilledAccount(api, places, 2);
  large = await createFilledAccount(api, places, 6);
  // The catalogue of lines is cached for a minute: the first request would seem to cost one statement more.
  await api.request("/shipments?filter[carrier]=SBXL");
});

async function statementsOf(address: string, { token }: FilledAccount): Promise<number> {
  api.takeStatements();
  const { status, body } = await api.request(address, { token });
  expect([address, status, body.errors]).toEqual([address, 200, undefined]);
  return api.takeStatements().length;
}

/** How many statements each read takes: alone, and with everything included. */
async function countsOf(account: FilledAccount): Promise<string[]> {
  const lines: string[] = [];
  for (const route of reads) {
    const address = addressOf(route, account);
    const alone = await statementsOf(address, account);
    const withAll = addressWithAll(route, account);
    const combined = withAll === null ? "–" : await statementsOf(withAll, account);
    lines.push(`| GET ${route.path} | ${alone} | ${combined} |`);
  }
  return lines;
}

test("the large account has more of all that is listed", async () => {
  const lists = reads.filter(({ request }) => request.query?.list);
  expect(lists.length).toBeGreaterThan(15);
  for (const route of lists) {
    const [few, many] = [small, large].map(async (account) => {
      const { body } = await api.request(addressOf(route, account), { token: account.token });
      return [route.path, body.data.length > (account === small ? 1 : 5)];
    });
    expect([await few, await many]).toEqual([
      [route.path, true],
      [route.path, true],
    ]);
  }
});

test("the number of statements of each read is the one that is published, however many rows there are", async () => {
  const document = fs.readFileSync(new URL("../../../../docs/benchmarks.md", import.meta.url), "utf8");
  const published = document.split("\n").filter((line) => line.startsWith("| GET /"));
  // The service reads the carriers that it offers itself once a minute.
  await api.request("/carriers", { token: large.token });
  expect(await countsOf(large)).toEqual(published);
  expect(await countsOf(small)).toEqual(published);
});
