import fs from "node:fs";

/**
 * A Jest reporter that leaves what each test file came to in the file TEST_COUNTS_FILE, for the test runner to sum up.
 */
export default class CountReporter {
  onRunComplete(_contexts, results) {
    const counts = results.testResults.map((file) => [
      file.testFilePath,
      {
        passed: file.numPassingTests,
        // A file that could not even be loaded has no tests to count.
        failed: file.numFailingTests + (file.testExecError ? 1 : 0),
        skipped: file.numPendingTests + file.numTodoTests,
      },
    ]);
    fs.writeFileSync(process.env.TEST_COUNTS_FILE, JSON.stringify(counts));
  }
}
