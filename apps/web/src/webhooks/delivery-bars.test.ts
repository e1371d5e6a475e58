import { expect, test } from "@jest/globals";
import { words } from "../testing/words.ts";
import { deliveryBars } from "./delivery-bars.ts";

const webhookId = "01890000-0000-7000-8000-000000000000";
const hour = (index: number, received: number, failed = 0, waiting = 0) => ({
  webhookId,
  hour: index,
  received,
  failed,
  waiting,
});
const textOf = (...hours: ReturnType<typeof hour>[]) => words(String(deliveryBars(webhookId, hours))).trim();

test("shows the share of received deliveries, and 100 % only when none failed", () => {
  expect(textOf(hour(0, 10), hour(23, 5))).toBe("100 % received");
  expect(textOf(hour(3, 60), hour(4, 39, 1))).toBe("99 % received, 1 failed");
  expect(textOf(hour(3, 0, 0, 2))).toBe("2 pending");
  expect(textOf(hour(3, 99, 1))).toBe("99 % received, 1 failed of the newest 100 of each hour");
  expect(textOf()).toBe("No notifications");
});

test("draws each hour at its position and keeps small parts visible", () => {
  const markup = String(deliveryBars(webhookId, [hour(0, 98, 1, 1), hour(23, 49)]));
  const rects = [...markup.matchAll(/<rect class="(\w+)" x="(\d+)" y="(-?\d+)" width="8" height="(\d+)"/g)];
  expect(rects.map(([, kind, x, y, height]) => [kind, Number(x), Number(y), Number(height)])).toEqual([
    ["succeeded", 0, 0, 24],
    ["pending", 0, -1, 1],
    ["failed", 0, -2, 1],
    ["succeeded", 230, 12, 12],
  ]);
  expect(markup).toContain('aria-label="Each hour of the last 24: 147 received, 1 pending, 1 failed"');
  expect(markup).toContain(`href="/developers/notifications?webhook=${webhookId}&amp;status=failed&amp;since=day"`);
});
