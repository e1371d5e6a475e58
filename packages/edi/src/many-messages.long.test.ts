import { expect, test } from "@jest/globals";
import { loadedInShanghai, read, x12 } from "./testing/edi-samples.ts";

test("100,000 messages are read, and beyond the limit of events the file is refused", async () => {
  // Only the status: the file stays within its limit of bytes.
  const one = [loadedInShanghai[0] as string];
  const messages = Array.from({ length: 100_000 }, () => one);
  const reading = await read(x12("315", ...messages));
  expect(reading).toMatchObject({ messages: 100_000, statuses: 100_000, faultCount: 0 });
  expect(reading.events).toHaveLength(100_000);
  await expect(read(x12("315", ...messages, one))).rejects.toMatchObject({ fault: { segment: 300_003 } });
});
