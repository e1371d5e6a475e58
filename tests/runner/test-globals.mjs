/**
 * Replacement of `@jest/globals` in every test: the functions of the test file that is running. Jest creates them for
 * each file, and this module is loaded once for all of them.
 */
export let afterAll;
export let afterEach;
export let beforeAll;
export let beforeEach;
export let describe;
export let expect;
export let it;
export let test;

export function useTestGlobals(globals) {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } = globals);
}
