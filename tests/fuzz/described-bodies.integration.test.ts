import { expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import fc from "fast-check";
import { digestDatabase } from "./database-digest.ts";
import { type FuzzCase, requestFor } from "./fuzz-case.ts";
import { startFuzzContext } from "./fuzz-context.ts";
import { judge } from "./judge.ts";
import { almostValid } from "./schema-arbitraries.ts";

const seed = Number(process.env.FUZZ_SEED ?? 20_261_121);
const runsPerOperation = 60;

const context = started(startFuzzContext);

test("a body that the published description does not admit is refused, whatever else is right, and changes nothing [spec: G4]", async () => {
  const { api, wire, operations } = context;
  const before = await digestDatabase(api.database);
  for (const operation of operations) {
    const { body: described, isBulk } = operation;
    if (!described) continue;
    // Where a body is optional, `{}` counts as none, which is right.
    const wrong = almostValid(described.schema).filter(
      ({ body }) => !described.optional || JSON.stringify(body) !== "{}",
    );
    const property = fc.asyncProperty(wrong, async ({ body, at }) => {
      const one: FuzzCase = {
        name: `${operation.id}, ${at}`,
        request: requestFor(operation, api.account.token, { body: JSON.stringify(body) }),
        expected: isBulk ? "outcome" : "refused",
        statuses: isBulk ? [200, 400] : [400, 403, 409, 422],
      };
      expect(judge(one, await wire.send(one.request as Parameters<typeof wire.send>[0]))).toBeNull();
    });
    await fc.assert(property, { seed, numRuns: runsPerOperation });
  }
  expect(await digestDatabase(api.database)).toEqual(before);
});
