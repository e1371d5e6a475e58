import { expect, test } from "@jest/globals";
import { runOnWire } from "../testing/run-on-wire.ts";

const line = { scac: "MAEU", name: "Maersk", confidence: 0.6 };

const infer = (decision: string) => {
  const shipping_line = { decision, selected: line, candidates: [line, { ...line, scac: "SUDU", name: "Sudu" }] };
  return { data: { id: "x", type: "infer_number_results", attributes: { number_type: "booking", shipping_line } } };
};

const track = (decision: string, ...options: string[]) =>
  runOnWire(["track", "K1", "--no-wait", ...options], ({ url }) =>
    url.endsWith("/infer_number")
      ? { body: infer(decision) }
      : { status: 422, body: { errors: [{ status: "422", code: "invalid", detail: "Refused." }] } },
  );

test("tracks with the carrier that the number decides", async () => {
  const { requests } = await track("auto_select");
  expect(requests.at(-1)?.body).toMatchObject({
    data: { attributes: { scac: "MAEU", request_type: "booking_number" } },
  });
});

test("requires --scac for a carrier that is uncertain, and names the candidates", async () => {
  const { code, stderr, requests } = await track("needs_confirmation");
  expect([code, stderr]).toEqual([2, expect.stringMatching(/--scac.*MAEU \(Maersk\) or SUDU \(Sudu\)/)]);
  expect(requests).toHaveLength(1);
});

test("tracks an uncertain number with the carrier that is given", async () => {
  const { requests } = await track("needs_confirmation", "--scac", "SUDU");
  expect(requests.at(-1)?.body).toMatchObject({ data: { attributes: { scac: "SUDU" } } });
});
