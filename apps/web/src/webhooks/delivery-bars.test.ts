import { expect, test } from "@jest/globals";
import { visibleText } from "../testing/visible-text.ts";
import { deliveryBars } from "./delivery-bars.ts";

const webhookId = "01890000-0000-7000-8000-000000000000";
/** The hours of a day; each given one at its index: delivered, failed, pending. */
function day(counts: Readonly<Record<number, readonly number[]>>) {
  return Array.from({ length: 24 }, (_, index) => {
    const [delivered = 0, failed = 0, pending = 0] = counts[index] ?? [];
    const is_capped = delivered + failed + pending >= 100;
    return {
      started_at: `2026-11-22T${String(index).padStart(2, "0")}:00:00.000Z`,
      delivered,
      failed,
      pending,
      is_capped,
    };
  });
}
const textOf = (counts: Parameters<typeof day>[0]) => visibleText(String(deliveryBars(webhookId, day(counts)))).trim();

test("shows the share of successful deliveries, and 100 % only when none failed", () => {
  expect(textOf({ 0: [10], 23: [5] })).toBe("100 % delivered");
  expect(textOf({ 3: [60], 4: [39, 1] })).toBe("99 % delivered, 1 failed");
  expect(textOf({ 3: [0, 0, 2] })).toBe("2 pending");
  expect(textOf({ 3: [99, 1] })).toBe("99 % delivered, 1 failed of the newest 100 of each hour");
  expect(textOf({})).toBe("No notifications");
});

test("draws each hour at its position and keeps small parts visible", () => {
  const markup = String(deliveryBars(webhookId, day({ 0: [97, 1, 1], 23: [49] })));
  const rects = [...markup.matchAll(/<rect class="(\w+)" x="(\d+)" y="(-?\d+)" width="8" height="(\d+)"/g)];
  expect(rects.map(([, kind, x, y, height]) => [kind, Number(x), Number(y), Number(height)])).toEqual([
    ["succeeded", 0, 0, 24],
    ["pending", 0, -1, 1],
    ["failed", 0, -2, 1],
    ["succeeded", 230, 12, 12],
  ]);
  expect(markup).toContain('aria-label="Each hour of the last 24: 146 delivered, 1 pending, 1 failed"');
  expect(markup).toContain(`href="/developers/notifications?webhook=${webhookId}&amp;status=failed&amp;since=day"`);
});
