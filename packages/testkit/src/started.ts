import { afterAll, afterEach, beforeAll, beforeEach } from "@jest/globals";

/** Timeout longer than any service takes to start on a busy machine. */
const limitMs = 400_000;

interface Closable {
  close?(): unknown;
  stop?(): unknown;
}

/** Values to be closed: the last that was started first. */
const open: Closable[] = [];

async function fill(value: object, start: () => object | Promise<object>): Promise<void> {
  for (const key of Reflect.ownKeys(value)) Reflect.deleteProperty(value, key);
  open.push(value);
  // Descriptors, because a getter may make what the tests never ask for.
  Object.defineProperties(value, Object.getOwnPropertyDescriptors(await start()));
}

async function closeLast(): Promise<void> {
  const last = open.pop();
  await (last?.close ? last.close() : last?.stop?.());
}

/**
 * Returns an object that gets the members of what `start` returns, started before the tests of a file or block and
 * closed after them, in reverse order. Tests and hooks that are declared later can use it.
 */
export function started<Value extends object>(start: () => Value | Promise<Value>): Value {
  const value = {};
  beforeAll(() => fill(value, start), limitMs);
  afterAll(closeLast, limitMs);
  return value as Value;
}

/** The same, before and after each test. */
export function startedEach<Value extends object>(start: () => Value | Promise<Value>): Value {
  const value = {};
  beforeEach(() => fill(value, start), limitMs);
  afterEach(closeLast, limitMs);
  return value as Value;
}
