import path from "node:path";
import everything from "../../jest.config.mjs";

const [project] = everything.projects;

/** Configuration for any test, with the fault that SEEDED_FAULT names planted into the code. */
export default {
  ...project,
  displayName: "seeded fault",
  rootDir: path.resolve(import.meta.dirname, "../.."),
  testRegex: "\\.test\\.ts$",
  testTimeout: everything.testTimeout,
  setupFiles: ["<rootDir>/tests/seeded-faults/plant-fault.mjs"],
};
