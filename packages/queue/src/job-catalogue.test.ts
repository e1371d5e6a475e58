import { expect, test } from "@jest/globals";
import { jobCatalogue, queueNames } from "./job-catalogue.ts";
import storedJobs from "./testing/stored-jobs.json" with { type: "json" };

/** Each form of a job that a release has enqueued, oldest first. A changed form is added, and none is removed. */
const samples: Readonly<Record<string, readonly object[]>> = storedJobs;

test("every queue of an earlier release is still read", () => {
  expect(Object.keys(samples).filter((name) => !(queueNames as string[]).includes(name))).toEqual([]);
});

test.each(queueNames)("jobs of %s that earlier releases have enqueued still parse", (name) => {
  const schema = jobCatalogue[name];
  const jobs = samples[name] ?? [];
  for (const job of jobs) expect(job).toMatchObject(schema.parse(job));
  const members = Object.keys(schema.shape);
  const sampled = jobs.map((job) => Object.keys(job).filter((member) => members.includes(member)));
  // Otherwise the next change could break the present form.
  expect(sampled.map((names) => names.toSorted())).toContainEqual(members.toSorted());
});

test.each(queueNames)("a job of %s from a later release, with more members, parses", (name) => {
  for (const job of samples[name] ?? []) expect(jobCatalogue[name].safeParse({ ...job, more: 1 }).success).toBe(true);
});
