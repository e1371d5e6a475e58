import { beforeAll, expect, test } from "@jest/globals";
import { type ExceptionDetails, type ExceptionKind, exceptionCause, exceptionSummary } from "@svc/domain/exceptions";
import { started } from "@svc/testkit/started";
import { startVoyageHarness } from "../testing/voyage-harness.ts";
import { checkExceptions } from "./check-exceptions.ts";

interface Found {
  readonly kind: ExceptionKind;
  readonly details: ExceptionDetails;
  readonly resolution: string | null;
}

/** The exceptions that each voyage of the sandbox must have had, docs/sandbox.md. */
const expected: Readonly<Record<string, readonly ExceptionKind[]>> = {
  SBXDIR000001: [],
  SBXTSP000001: ["connection_at_risk", "missed_transshipment"],
  SBXROL000001: ["rollover", "hold"],
  SBXOMT000001: ["port_of_discharge_changed"],
  SBXDLY000001: ["eta_delay"],
  SBXHLD000001: ["customs_hold", "last_free_day_today", "last_free_day_over"],
  SBXSPL000001: [],
};

const harness = started(startVoyageHarness);
const found = new Map<string, readonly Found[]>();

const throwFailure = (error: unknown): never => {
  throw error;
};

beforeAll(async () => {
  const accounts = new Map<string, string>();
  for (const number of Object.keys(expected)) {
    const accountId = await harness.newAccount();
    accounts.set(number, accountId);
    await harness.request(number, { accountId, scac: "SBXL" });
  }
  for (let step = 0; step < 90; step++) {
    await harness.sail(0.5, 12);
    for (const accountId of accounts.values()) {
      while ((await checkExceptions(harness.context, accountId, throwFailure)).checked > 0);
    }
  }
  for (const [number, accountId] of accounts) {
    found.set(
      number,
      await harness.rows<Found>("SELECT kind, details, resolution FROM exceptions WHERE account_id = $1", accountId),
    );
  }
});

test.each(Object.entries(expected))("%s has %j", (number, kinds) => {
  const had = new Set(found.get(number)?.map(({ kind }) => kind));
  expect([...had]).toEqual(expect.arrayContaining([...kinds]));
  for (const kind of ["rollover", "connection_at_risk", "missed_transshipment", "port_of_discharge_changed"] as const)
    expect(had.has(kind)).toBe(kinds.includes(kind));
});

test("a connection at risk is superseded by the missed transshipment", () => {
  const risk = found.get("SBXTSP000001")?.find(({ kind }) => kind === "connection_at_risk");
  expect(risk?.resolution).toBe("superseded");
});

test("the cause of the missed transshipment is the late arrival, and demurrage is priced per day", () => {
  const missed = found.get("SBXTSP000001")?.find(({ kind }) => kind === "missed_transshipment");
  expect(missed && exceptionCause(missed)).toMatch(
    /^The container arrived in .+ \d+ hours? after the planned departure of .+ voyage .+ on .+\. Now planned: .+ voyage .+ on .+\.$/,
  );
  const over = found.get("SBXHLD000001")?.find(({ kind }) => kind === "last_free_day_over");
  expect(over?.details).toMatchObject({ perDay: { amount: 150, currencyCode: "USD" } });
});

test("a changed port of discharge names both ports, and ends at the arrival", () => {
  const changed = found.get("SBXOMT000001")?.find(({ kind }) => kind === "port_of_discharge_changed");
  expect(changed?.resolution).toBe("cleared");
  expect(changed && exceptionSummary(changed)).toMatch(/^Port of discharge changed to [A-Z][A-Za-z ]+$/);
  expect(changed && exceptionCause(changed)).toMatch(/^The carrier first reported [A-Z][A-Za-z ]+\. The arrival in /);
});

test.each([
  ["SBXROL000001", "rollover"],
  ["SBXTSP000001", "missed_transshipment"],
] as const)("%s: the port of its %s has its name, not its UN/LOCODE", (number, kind) => {
  const one = found.get(number)?.find((exception) => exception.kind === kind);
  const { locode, name } = one?.details.place ?? {};
  expect([locode, name]).toEqual([
    expect.stringMatching(/^[A-Z]{2}[A-Z2-9]{3}$/),
    expect.stringMatching(/^[A-Z][a-z]/),
  ]);
  expect(one && exceptionSummary(one)).toContain(`in ${name}`);
});
