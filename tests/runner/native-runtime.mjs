import { createRequire, registerHooks } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { useTestGlobals } from "./test-globals.mjs";

const require = createRequire(import.meta.url);

const replaced = new Map([
  ["@jest/globals", new URL("test-globals.mjs", import.meta.url).href],
  ["fast-check", new URL("../seeded-fast-check.ts", import.meta.url).href],
]);

registerHooks({
  resolve(specifier, context, nextResolve) {
    const url = replaced.get(specifier);
    return url === undefined ? nextResolve(specifier, context) : { url, shortCircuit: true };
  },
});

/**
 * Loads test files with the loader of Node itself, which runs TypeScript and keeps a module for the next file of the
 * same worker. Jest's own runtime loads every module again for each file, in a context of its own: that was most of the
 * time of the suite, and the tests need none of it (module mocks, transforms). Jest takes the class from `runtime` of
 * its configuration and calls what stands here.
 */
export default class NativeRuntime {
  #environment = { ...process.env };

  setGlobalsForRuntime(globals) {
    useTestGlobals(globals);
  }

  /** The part of Jest that keeps the tests of a file, loaded once for each file. */
  requireInternalModule(file) {
    delete globalThis[Symbol.for("EVENT_HANDLERS")];
    delete require.cache[file];
    return require(file);
  }

  requireModule(file) {
    return require(file);
  }

  unstable_shouldLoadAsEsm(file) {
    return path.extname(file) !== ".cjs";
  }

  unstable_importModule(file) {
    return import(pathToFileURL(file).href);
  }

  enterTestCode() {}

  leaveTestCode() {}

  getSourceMaps() {
    return new Map();
  }

  getAllCoverageInfoCopy() {
    return undefined;
  }

  /** The variables of the process are what one test file could leave to the next. */
  teardown() {
    for (const name of Object.keys(process.env)) if (!(name in this.#environment)) delete process.env[name];
    Object.assign(process.env, this.#environment);
  }
}

/** Jest loads this module by `require`, and looks for a default export only beside this mark. */
export const __esModule = true;
