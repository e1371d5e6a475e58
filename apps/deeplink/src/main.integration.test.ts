import { fileURLToPath } from "node:url";
import { expect, test } from "@jest/globals";
import { createTestDatabase, eventually, startProgram, startServiceProcess } from "@svc/testkit";

const entry = fileURLToPath(new URL("main.ts", import.meta.url));

test("the service starts with its database alone, answers, and stops", async () => {
  const metricsToken = "a-token-for-the-metrics";
  const DATABASE_URL = await createTestDatabase();
  const service = await startServiceProcess(entry, { DATABASE_URL, SVC_METRICS_TOKEN: metricsToken });
  const response = await fetch(`${service.url}/shipments/find?q=a`, { redirect: "manual" });
  expect(response.headers.get("location")).toBe("/login?next=%2Fshipments%2Ffind%3Fq%3Da");
  const metrics = await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } });
  expect(await metrics.text()).toContain('route="/shipments/find",status="302"');
  expect((await service.stop()).code).toBe(0);
});

test("stops while a page receives events", async () => {
  const DATABASE_URL = await createTestDatabase();
  const [SVC_INIT_EMAIL, SVC_INIT_PASSWORD] = ["owner@example.test", "a-long-password"];
  const service = await startServiceProcess(entry, { DATABASE_URL, SVC_INIT_EMAIL, SVC_INIT_PASSWORD });
  const body = new URLSearchParams({ email: SVC_INIT_EMAIL, password: SVC_INIT_PASSWORD });
  // The first owner is created after the service listens.
  const cookie = await eventually("the first owner logs in", async () => {
    const login = await fetch(`${service.url}/login`, { method: "POST", body, redirect: "manual" });
    return login.status === 303 && login.headers.getSetCookie()[0]?.split(";")[0];
  });
  const events = await fetch(`${service.url}/events`, { headers: { cookie } });
  expect(events.headers.get("content-type")).toMatch(/^text\/event-stream/);
  const received = events.text();
  expect((await service.stop()).code).toBe(0);
  expect(await received).toMatch(/^retry: \d+/);
});

test("reports missing environment variables", async () => {
  const program = startProgram([entry], { environment: { PORT: "x", SVC_APP_URL: "ftp://x" } });
  expect((await program.exited).code).toBe(1);
  for (const name of ["DATABASE_URL is missing", "PORT is not valid", "SVC_APP_URL is not valid"]) {
    expect(program.output()).toContain(name);
  }
});

test("reports an unavailable database without its address", async () => {
  const url = "postgresql://svc:sesame@127.0.0.1:1/none";
  const program = startProgram([entry], { environment: { DATABASE_URL: url, PORT: "0", LOG_LEVEL: "info" } });
  try {
    const [, port] = await eventually("the service listens", () =>
      /"port":(\d+),"msg":"service.started"/.exec(program.output()),
    );
    const headers = { authorization: "Token x" };
    const response = await fetch(`http://127.0.0.1:${port}/shipments/find?q=a`, { headers });
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ errors: [{ code: "unavailable" }] });
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(503);
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    expect(program.output()).not.toContain("sesame");
  } finally {
    await program.stop();
  }
});
