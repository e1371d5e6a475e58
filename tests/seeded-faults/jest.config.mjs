import path from "node:path";
import everything from "../../jest.config.mjs";
import { seededFaults } from "./faults.ts";

const root = path.resolve(import.meta.dirname, "../..");
const [project] = everything.projects;
const [[files, [, swc]]] = Object.entries(project.transform);
const fault = seededFaults.find(({ name }) => name === process.env.SEEDED_FAULT);

/** Any test, with the fault that SEEDED_FAULT names planted into the code. */
export default {
  ...project,
  displayName: "seeded fault",
  rootDir: root,
  testRegex: "\\.test\\.ts$",
  testTimeout: everything.testTimeout,
  transform: { [files]: ["<rootDir>/tests/seeded-faults/planting-transform.mjs", { swc, fault, root }] },
};
