/**
 * Unit tests sit beside the code; what needs the real stores is named *.integration.test.ts, and what takes a minute
 * besides *.long.test.ts.
 */
const common = {
  runtime: "<rootDir>/tests/runner/native-runtime.mjs",
  testEnvironment: "<rootDir>/tests/runner/native-environment.mjs",
  injectGlobals: false,
  transform: {},
  // Kept when the temporary folder of a run is removed.
  cacheDirectory: "<rootDir>/node_modules/.cache/jest",
  extensionsToTreatAsEsm: [".ts"],
  modulePathIgnorePatterns: ["/dist/"],
};

const everywhere = [
  "<rootDir>/packages",
  "<rootDir>/apps",
  "<rootDir>/examples",
  "<rootDir>/bench",
  "<rootDir>/scripts",
  "<rootDir>/tests/runner",
  "<rootDir>/tests/spec",
  "<rootDir>/tests/fuzz",
  "<rootDir>/tests/architecture",
  "<rootDir>/tests/seeded-faults",
];

export default {
  maxWorkers: 2,
  // Modules of finished files stay in the memory of their worker, and collecting garbage beside them takes its time.
  workerIdleMemoryLimit: "600MB",
  testTimeout: 120_000,
  projects: [
    { ...common, displayName: "unit", roots: everywhere, testRegex: "(?<!\\.integration|\\.long)\\.test\\.ts$" },
    { ...common, displayName: "integration", roots: everywhere, testRegex: "\\.integration\\.test\\.ts$" },
    { ...common, displayName: "long", roots: everywhere, testRegex: "\\.long\\.test\\.ts$" },
    { ...common, displayName: "e2e", roots: ["<rootDir>/tests/e2e"], testRegex: "\\.test\\.ts$" },
    { ...common, displayName: "browser", roots: ["<rootDir>/tests/browser"], testRegex: "browser/[^/]+\\.test\\.ts$" },
    { ...common, displayName: "pages", roots: ["<rootDir>/tests/browser/pages"], testRegex: "\\.test\\.ts$" },
    { ...common, displayName: "faults", roots: ["<rootDir>/tests/faults"], testRegex: "\\.test\\.ts$" },
  ],
};
