import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { createSecretBox } from "../secret-box.ts";
import { addAccount } from "../testing/accounts.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { createIdempotencyRepository, type IdempotencyRequest } from "./idempotency-repository.ts";

const database = started(openTestDatabase);
const repository = started(() =>
  createIdempotencyRepository(database.sql, createSecretBox(randomBytes(32).toString("base64"))),
);
let accountId: string;
beforeAll(async () => {
  accountId = await addAccount(database);
});

const newRequest = (): IdempotencyRequest => ({ keySha256: randomBytes(32), requestSha256: randomBytes(32) });
const stateOf = (request: IdempotencyRequest) =>
  database.transaction(async (sql) => (await repository.findOrLock(sql, accountId, request)).kind);
const reserve = (request: IdempotencyRequest, forSeconds: number) =>
  repository.reserve(database.sql, accountId, request, forSeconds);

describe("a reservation", () => {
  test("keeps its key in use until it is released", async () => {
    const request = newRequest();
    const reservation = await reserve(request, 60);
    expect(await stateOf(request)).toBe("running");
    await repository.release(database.sql, accountId, request, reservation);
    expect(await stateOf(request)).toBe("unused");
  });

  test("is not released by the request whose own reservation has expired", async () => {
    const request = newRequest();
    const expired = await reserve(request, 0);
    expect(await stateOf(request)).toBe("unused");
    await reserve(request, 60);
    await repository.release(database.sql, accountId, request, expired);
    expect(await stateOf(request)).toBe("running");
  });
});
