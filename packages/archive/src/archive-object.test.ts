import { zstdCompressSync } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { ArchiveDamagedError, decodeObject, encodeObject, type ObjectReply } from "./archive-object.ts";

const header = { accountId: "a", shipmentId: "s", number: "MAEU1", scac: "MAEU" };
const replyOf = (id: string, body: Uint8Array): ObjectReply => ({
  id,
  subjectId: "t",
  channel: "poll",
  receivedAt: "2026-01-01T00:00:00.000Z" as never,
  body,
  url: "https://carrier.test/events",
  httpStatus: 200,
  eventCount: 1,
});
const bodies = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.string({ unit: "binary", maxLength: 200 }).map((text) => Buffer.from(text, "utf8")),
  fc.json().map((text) => Buffer.from(`\ufeff${text}\r\n\u2028`, "utf8")),
);

describe("an object of the archive", () => {
  test("has every body byte for byte, whether it is text or not", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(bodies, { maxLength: 20 }), async (all) => {
        const replies = all.map((body, index) => replyOf(`r${index}`, body));
        const read = await decodeObject(await encodeObject(header, replies));
        expect([...read].map(([id, body]) => [id, body.toString("hex")])).toEqual(
          replies.map(({ id, body }) => [id, Buffer.from(body).toString("hex")]),
        );
      }),
    );
  });

  test("takes a fraction of its replies alone when they are almost equal", async () => {
    const events = Array.from({ length: 200 }, (_, index) => ({ id: Math.imul(index, 2_654_435_761).toString(16) }));
    const bodyOf = (n: number) => Buffer.from(JSON.stringify({ polled: n, events }));
    const one = await encodeObject(header, [replyOf("r", bodyOf(0))]);
    const many = Array.from({ length: 50 }, (_, index) => replyOf(`r${index}`, bodyOf(index)));
    expect((await encodeObject(header, many)).length).toBeLessThan((many.length * one.length) / 10);
  });

  test.each([
    ["bytes that are not compressed", Buffer.from("{}")],
    ["another version", zstdCompressSync('{"format":"svc-reply-archive","version":2}\n')],
    [
      "a body that differs from its hash",
      zstdCompressSync('{"format":"svc-reply-archive","version":1}\n{"id":"r","contentHash":"00","body":"x"}\n'),
    ],
  ])("is refused when it has %s", async (_, object) => {
    await expect(decodeObject(object)).rejects.toBeInstanceOf(ArchiveDamagedError);
  });
});
