import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import S3rver from "@20minutes/s3rver";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type ArchiveConfig, openArchiveStore } from "./archive-settings.ts";
import type { ObjectStore } from "./object-store.ts";

/** The only key of the server, which checks the signature and the hash of every request. */
const keys = { SVC_ARCHIVE_ACCESS_KEY_ID: "S3RVER", SVC_ARCHIVE_SECRET_ACCESS_KEY: "S3RVER" };
const key = "0199a2c4-0000-7000-8000-000000000001/0199a2c4-0000-7000-8000-000000000002/3.jsonl.zst";
const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => (index * 31) % 256);

let folder: string;
let server: InstanceType<typeof S3rver>;
let url: string;

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "svc-archive-"));
  const configureBuckets = [{ name: "archive", configs: [] }];
  server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    directory: path.join(folder, "s3"),
    silent: true,
    configureBuckets,
  });
  const { port } = await server.run();
  url = `http://127.0.0.1:${port}`;
});
afterAll(async () => {
  await server.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const open = (config: Partial<ArchiveConfig>): ObjectStore => {
  const store = openArchiveStore({
    SVC_ARCHIVE_URL: undefined,
    SVC_ARCHIVE_REGION: "eu-central-1",
    ...keys,
    ...config,
  });
  if (store === null) throw new Error("There is no store.");
  return store;
};
const failureOf = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => new Error("It did not fail."),
    (error: Error) => error,
  );

describe.each([
  ["a directory", () => open({ SVC_ARCHIVE_URL: `file://${folder}/files` })],
  ["a bucket", () => open({ SVC_ARCHIVE_URL: `${url}/archive` })],
  ["a prefix of a bucket", () => open({ SVC_ARCHIVE_URL: `${url}/archive/production/` })],
])("objects in %s", (_, openStore) => {
  test("are read as they were written, replaced and removed", async () => {
    const store = openStore();
    expect(await store.get(key)).toBeNull();
    await store.put(key, bytes);
    expect(Buffer.from((await store.get(key)) ?? [])).toEqual(Buffer.from(bytes));
    await store.put(key, bytes.subarray(0, 10));
    expect(await store.get(key)).toHaveLength(10);
    await store.remove(key);
    await store.remove(key);
    expect(await store.get(key)).toBeNull();
  });
});

describe("a directory", () => {
  test("has no empty folder of an account after its last object, and no file that others can read", async () => {
    const store = open({ SVC_ARCHIVE_URL: `file://${folder}/files` });
    await store.put(key, bytes);
    expect(fs.statSync(path.join(folder, "files", key)).mode & 0o777).toBe(0o600);
    expect(fs.readdirSync(path.dirname(path.join(folder, "files", key)))).toEqual(["3.jsonl.zst"]);
    await store.remove(key);
    expect(fs.readdirSync(path.join(folder, "files"))).toEqual([]);
  });
});

describe("a bucket", () => {
  test("refuses another secret, and the error has its code and no credential", async () => {
    const secret = "another-secret";
    const store = open({ SVC_ARCHIVE_URL: `${url}/archive`, SVC_ARCHIVE_SECRET_ACCESS_KEY: secret });
    for (const work of [() => store.put(key, bytes), () => store.get(key), () => store.remove(key)]) {
      const error = await failureOf(work());
      expect(error.message).toMatch(
        /^The object store answered (PUT|GET|DELETE) with 403 \(SignatureDoesNotMatch\)\.$/,
      );
      expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(secret);
    }
  });

  test("that does not exist is a failure, not a missing object", async () => {
    const error = await failureOf(open({ SVC_ARCHIVE_URL: `${url}/absent` }).get(key));
    expect(error.message).toBe("The object store answered GET with 404 (NoSuchBucket).");
  });

  test("fails when its server is unavailable", async () => {
    const error = await failureOf(open({ SVC_ARCHIVE_URL: "http://127.0.0.1:9/archive" }).put(key, bytes));
    expect(error.message).toBe("fetch failed");
  });
});
