import { type FuzzCase, requestFor } from "../fuzz-case.ts";
import type { Operation } from "../fuzz-context.ts";
import type { Random } from "../random.ts";

const mebibyte = 1_048_576;
const many = (count: number, item: (index: number) => unknown): unknown[] =>
  Array.from({ length: count }, (_, index) => item(index));

/** Returns a name of three characters, so that as many as possible fit into a body. */
const shortName = (index: number): string =>
  [index >> 12, (index >> 6) & 63, index & 63].map((six) => String.fromCharCode(48 + six)).join("");

/** Contents that fit into a body and are far more than any member takes. */
const contents: Readonly<Record<string, () => object>> = {
  "100 000 tags": () => ({ tags: many(100_000, (index) => `t${index}`) }),
  "equal tags": () => ({ tags: many(50_000, () => "same") }),
  "numbers for tags": () => ({ tags: many(200_000, () => 1) }),
  "empty reference numbers": () => ({ ref_numbers: many(200_000, () => "") }),
  "a reference number of 1 MB": () => ({ ref_numbers: ["x".repeat(1_000_000)] }),
  "130 000 tags, all different": () => ({ tags: many(130_000, (index) => index.toString(36)) }),
  "126 000 unknown attributes": () =>
    Object.fromEntries(many(126_000, (index) => [shortName(index), 1]) as [string, number][]),
};

/** Bodies larger than is allowed, and bodies that are large inside. */
export function sizeCases(operations: readonly Operation[], random: Random, token: string): FuzzCase[] {
  const writing = operations.filter(({ body }) => body !== undefined);
  const edit = operations.find(({ id }) => id === "editShipment");
  const tooLarge = random.some(writing, 8).map(
    (operation, index): FuzzCase => ({
      name: `${operation.id}, body of ${mebibyte + 1 + index} bytes`,
      request: requestFor(operation, token, {
        body: Buffer.alloc(mebibyte + 1 + index, " "),
        chunked: index % 2 === 0,
      }),
      expected: "refused",
      statuses: [413],
    }),
  );
  const announced = random.some(writing, 4).map(
    (operation): FuzzCase => ({
      name: `${operation.id}, an announced body of 10 GB`,
      request: requestFor(operation, token, { headers: { "Content-Length": "10000000000" } }),
      expected: "refused",
      statuses: [413],
    }),
  );
  const inside = Object.entries(contents).map(
    ([name, build]): FuzzCase => ({
      name: `editShipment, ${name}`,
      request: requestFor(edit as Operation, token, { body: JSON.stringify({ data: { attributes: build() } }) }),
      expected: "refused",
      statuses: [422],
    }),
  );
  const bulk = operations.find(({ isBulk }) => isBulk);
  const inItem: FuzzCase = {
    name: "bulk, an item of many unknown attributes",
    request: requestFor(bulk as Operation, token, {
      body: JSON.stringify({ data: [{ attributes: contents["126 000 unknown attributes"]?.() }] }),
    }),
    expected: "outcome",
    statuses: [200],
  };
  return [...tooLarge, ...announced, ...inside, inItem];
}
