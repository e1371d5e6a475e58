import { expect, test } from "@jest/globals";
import { localDateTime } from "./local-time.ts";

test.each([
  ["2026-03-05T09:45:31Z", "Asia/Shanghai", "2026-03-05T17:45:00+08:00"],
  ["2026-07-05T09:45:00Z", "America/New_York", "2026-07-05T05:45:00-04:00"],
  ["2026-01-05T02:45:00Z", "America/New_York", "2026-01-04T21:45:00-05:00"],
  ["2026-01-05T02:45:00Z", "Asia/Kolkata", "2026-01-05T08:15:00+05:30"],
  ["2026-01-05T02:45:00Z", "UTC", "2026-01-05T02:45:00+00:00"],
])("%s in %s is %s", (timestamp, timeZone, local) => {
  expect(localDateTime(Date.parse(timestamp), timeZone)).toBe(local);
});
