import { fileURLToPath, pathToFileURL } from "node:url";
import { beforeAll, expect, test } from "@jest/globals";
import { restore } from "@svc/archive";
import { dayMs, instant } from "@svc/domain";
import { storedArchives } from "@svc/persistence/reply-archives";
import { eventually, startProgram, startServiceProcess } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { startVoyageHarness } from "../testing/voyage-harness.ts";
import { killPoints } from "./testing/archive-and-die.ts";
import { createArchiveHarness } from "./testing/archive-harness.ts";

const script = fileURLToPath(new URL("./testing/archive-and-die.ts", import.meta.url));
const worker = fileURLToPath(new URL("../main.ts", import.meta.url));
const number = "SBXTSP000001";

const harness = started(startVoyageHarness);
const archive = started(() => createArchiveHarness(harness));
beforeAll(async () => {
  await harness.track(number);
  await harness.sail(10, 24);
  await archive.stop(number);
}, 400_000);

test("a worker that is killed at any moment of archiving loses no body and leaves no object", async () => {
  const until = instant(Date.parse(harness.clock.now()) + dayMs);
  const before = (await archive.replies()).map(({ id, body }) => ({ id, body }));
  for (const moment of killPoints) {
    const program = startProgram([script, harness.databaseUrl, archive.folder, until, moment]);
    const { signal } = await program.exited;
    expect({ moment, signal, output: program.output() }).toEqual({ moment, signal: "SIGKILL", output: "" });
    const isCommitted = moment === "after commit";
    const bodies = (await archive.replies()).map(({ id, body }) => ({ id, body }));
    expect({ moment, bodies }).toEqual({
      moment,
      bodies: isCommitted ? before.map(({ id }) => ({ id, body: null })) : before,
    });
    expect(await archive.replay(number)).toMatchObject({ differences: [] });
    // Objects of an incomplete archive are deleted, and the shipment can be archived again.
    await archive.removeObjects();
    expect(archive.files()).toHaveLength(isCommitted ? 1 : 0);
  }
  expect(await harness.rows("SELECT FROM reply_archives WHERE stored_at IS NULL")).toEqual([]);
});

test("a worker with the variables of the archive archives what is due, and logs no address", async () => {
  for await (const stored of storedArchives(harness.database.sql, {}))
    await restore(harness.database, archive.store, stored);
  await harness.sail(2, 24);
  const service = await startServiceProcess(worker, {
    DATABASE_URL: harness.databaseUrl,
    SVC_CLOCK_URL: `${harness.sandbox.url}/_sandbox/clock`,
    SVC_ARCHIVE_URL: pathToFileURL(archive.folder).href,
    SVC_ARCHIVE_AFTER_DAYS: "1",
    LOG_LEVEL: "info",
  });
  const isArchived = async () => (await archive.replies()).every(({ body }) => body === null);
  await eventually("the replies are archived", isArchived, 60_000);
  await eventually("it is logged", () => service.output().includes("archive.shipments_archived"));
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  expect(metrics).toContain('svc_archive_shipments_total{outcome="archived"');
  await service.stop();
  expect(service.output()).not.toContain(archive.folder);
  expect(await archive.replay(number)).toMatchObject({ differences: [] });
});
