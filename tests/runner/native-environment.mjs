/** A test environment of Jest without a context of its own: tests run in the worker's. */
export default class NativeEnvironment {
  global = globalThis;

  async setup() {}

  async teardown() {}

  getVmContext() {
    return null;
  }
}
