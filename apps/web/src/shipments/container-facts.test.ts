import { expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import type { ContainerRecord } from "./api-records.ts";
import { feesOf } from "./container-facts.ts";

const at = instant("2026-07-12T08:00:00Z");
const picked = { feesAtPodTerminal: [], podFullOutAt: at, finalDestinationFullOutAt: null, terminalCheckedAt: null };
const unqueried = picked as unknown as ContainerRecord;

test("fees of a container that was picked up before its terminal was queried are not known", () => {
  expect(feesOf(unqueried)).toBe("Not known: picked up before the terminal was queried");
  expect(feesOf({ ...unqueried, podFullOutAt: null })).toBe("None known");
  expect(feesOf({ ...unqueried, terminalCheckedAt: at })).toBe("None known");
});
