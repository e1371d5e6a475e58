import fs from "node:fs";

/** A Jest reporter that leaves the numbers of its run in the file TEST_COUNTS_FILE, for the test runner to sum up. */
export default class CountReporter {
  onRunComplete(_contexts, results) {
    const counts = {
      passed: results.numPassedTests,
      // Files that could not even be loaded: none of their tests is in the other numbers.
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests + results.numTodoTests,
    };
    fs.writeFileSync(process.env.TEST_COUNTS_FILE, JSON.stringify(counts));
  }
}
