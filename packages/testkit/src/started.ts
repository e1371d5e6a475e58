import { afterAll, beforeAll } from "@jest/globals";

/**
 * What `start` gives, started before the tests of a file or block and closed after them: an object that gets its
 * members then. Tests and hooks that are declared later can use them.
 */
export function started<Value extends { close(): Promise<unknown> }>(start: () => Promise<Value>): Value {
  const value: Partial<Value> = {};
  beforeAll(async () => {
    // Descriptors, because a getter may make what the tests never ask for.
    Object.defineProperties(value, Object.getOwnPropertyDescriptors(await start()));
  }, 180_000);
  afterAll(() => value.close?.());
  return value as Value;
}
