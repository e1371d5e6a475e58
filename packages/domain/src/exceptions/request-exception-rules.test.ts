import { describe, expect, test } from "@jest/globals";
import { addMs, dayMs, instant } from "../instant.ts";
import { exceptionCause, exceptionSummary } from "./describe-exception.ts";
import { evaluateRequest, type RequestExceptionFacts } from "./request-exception-rules.ts";

const now = instant("2026-06-10T12:00:00.000Z");

describe("exceptions of a tracking request", () => {
  const request: RequestExceptionFacts = {
    status: "pending",
    failedReason: null,
    awaitingManifestSince: null,
    createdAt: now,
    scac: "HLCU",
    waitsForConnection: false,
    isReplaced: false,
  };
  const after = (days: number, changes: Partial<RequestExceptionFacts>) =>
    evaluateRequest({ ...request, ...changes }, addMs(now, days * dayMs));

  test("pending for a day, or unknown to the carrier for three", () => {
    expect(after(0.9, {})).toEqual({ found: [], nextCheckAt: addMs(now, dayMs) });
    expect(after(1, {}).found.map(exceptionSummary)).toEqual(["Tracking request pending for 1 day"]);
    const [unconnected] = after(65, { waitsForConnection: true }).found;
    expect(unconnected && [exceptionSummary(unconnected), exceptionCause(unconnected)]).toEqual([
      "Carrier not connected, tracking request pending for 65 days",
      "The carrier HLCU is not connected. It is queried once you connect it.",
    ]);
    const awaiting = { status: "awaiting_manifest", awaitingManifestSince: now } as const;
    expect(after(2, awaiting).found).toEqual([]);
    expect(after(3, awaiting).found.map(exceptionSummary)).toEqual(["The carrier has not known the number for 3 days"]);
  });

  test("failed, until the number is requested again", () => {
    const failed = { status: "failed", failedReason: "not_found" } as const;
    expect(after(1, failed).found.map(exceptionSummary)).toEqual([
      "Tracking request failed: the carrier does not know this number",
    ]);
    expect(after(400, failed).found).toEqual(after(1, failed).found);
    expect(after(1, failed).nextCheckAt).toBe(addMs(now, 31 * dayMs));
    expect(after(1, { ...failed, isReplaced: true }).found).toEqual([]);
    expect(after(1, { ...failed, failedReason: "duplicate" }).found).toEqual([]);
  });
});
