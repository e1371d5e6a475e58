/**
 * Replacement of `fast-check` in every test (jest.config.mjs): the same cases on each run, so that a change is judged
 * by itself. `SVC_TEST_SEED=<integer>` tries others, `SVC_TEST_SEED=random` others each time; a failure prints its
 * seed.
 */
import fc from "../node_modules/fast-check/lib/fast-check.js";

const chosen = process.env.SVC_TEST_SEED ?? "20261121";
const seed = chosen === "random" ? undefined : Number(chosen);
if (seed !== undefined && !Number.isInteger(seed)) throw new Error("SVC_TEST_SEED is an integer or `random`.");
fc.configureGlobal({ ...fc.readConfigureGlobal(), ...(seed !== undefined && { seed }) });

export default fc;
