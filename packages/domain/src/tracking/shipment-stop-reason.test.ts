import { describe, expect, test } from "@jest/globals";
import { addMs, dayMs, type Instant, instant } from "../instant.ts";
import { defaultStopThresholds, type StopFacts, shipmentStopReason } from "./shipment-stop-reason.ts";
import type { ContainerProgress, TrackingProgress } from "./tracking-progress.ts";

const now = instant("2026-06-01T00:00:00Z");
const ago = (days: number): Instant => addMs(now, -days * dayMs);

function progress(known: Partial<TrackingProgress> = {}): TrackingProgress {
  return {
    bookingCancelledAt: null,
    etdAt: null,
    etaAt: null,
    ataAt: null,
    destinationAtaAt: null,
    latestEstimateAt: null,
    containers: [],
    ...known,
  };
}

function container(finalFullOutAt: Instant | null, terminatedAt: Instant | null): ContainerProgress {
  return { stage: "landed", finalFullOutAt, terminatedAt, inlandEtaAt: null };
}

function facts(known: Partial<StopFacts> = {}): StopFacts {
  return {
    progress: progress(),
    cancelledByUser: false,
    lastChangedAt: ago(1),
    notFoundSince: null,
    notFoundPolls: 0,
    resumedAt: null,
    ...known,
  };
}

const reason = (known: Partial<StopFacts>) => shipmentStopReason(facts(known), now);

describe("line_tracking_stopped_reason [spec: states.stopped_reason, shipment.attribute.line_tracking_stopped_reason]", () => {
  test("a shipment under way is not stopped", () => {
    expect(reason({ progress: progress({ etaAt: ago(-10), containers: [container(null, null)] }) })).toBeNull();
    expect(reason({})).toBeNull();
  });

  test("cancelled_by_user", () => expect(reason({ cancelledByUser: true })).toBe("cancelled_by_user"));

  test("booking_cancelled, six hours after the cancellation", () => {
    expect(reason({ progress: progress({ bookingCancelledAt: ago(0.2) }) })).toBeNull();
    expect(reason({ progress: progress({ bookingCancelledAt: ago(0.25) }) })).toBe("booking_cancelled");
  });

  test("all_containers_terminated, three days after the last one", () => {
    const returned = (days: number) =>
      progress({ containers: [container(ago(20), ago(10)), container(ago(20), ago(days))] });
    expect(reason({ progress: returned(2.9) })).toBeNull();
    expect(reason({ progress: returned(3) })).toBe("all_containers_terminated");
    expect(
      reason({ progress: progress({ containers: [container(ago(20), ago(10)), container(ago(8), null)] }) }),
    ).toBeNull();
  });

  test("past_full_out_window, when the carrier never reports empty returns", () => {
    const out = (days: number) =>
      progress({ ataAt: ago(80), containers: [container(ago(70), ago(60)), container(ago(days), null)] });
    expect(reason({ progress: out(55.9) })).toBeNull();
    expect(reason({ progress: out(56) })).toBe("past_full_out_window");
  });

  test("past_arrival_window, when the carrier never reports the full gate-out", () => {
    const arrived = (days: number, destinationAtaAt: Instant | null = null) =>
      progress({ ataAt: ago(days), destinationAtaAt, containers: [container(null, null)] });
    expect(reason({ progress: arrived(55.9) })).toBeNull();
    expect(reason({ progress: arrived(56) })).toBe("past_arrival_window");
    expect(reason({ progress: arrived(70, ago(30)) })).toBeNull();
  });

  test("past_arrival_window, when the carrier went silent before the arrival", () => {
    const overdue = progress({ etaAt: ago(57), containers: [container(null, null)] });
    expect(reason({ progress: overdue, lastChangedAt: ago(27) })).toBeNull();
    expect(reason({ progress: overdue, lastChangedAt: ago(28) })).toBe("past_arrival_window");
  });

  test("no_updates_at_line, unless an estimate is far ahead", () => {
    expect(reason({ lastChangedAt: ago(55.9) })).toBeNull();
    expect(reason({ lastChangedAt: ago(56) })).toBe("no_updates_at_line");
    expect(reason({ lastChangedAt: ago(56), progress: progress({ latestEstimateAt: ago(-8) }) })).toBeNull();
  });

  test("no_updates_at_line, when the carrier no longer knows the number", () => {
    const lastChangedAt = ago(20);
    expect(reason({ notFoundSince: ago(13), notFoundPolls: 20, lastChangedAt })).toBeNull();
    expect(reason({ notFoundSince: ago(14), notFoundPolls: 9, lastChangedAt })).toBeNull();
    expect(reason({ notFoundSince: ago(14), notFoundPolls: 10, lastChangedAt })).toBe("no_updates_at_line");
  });

  test("continues while pushes or imports change a number that the carrier does not find", () => {
    const known = { notFoundSince: ago(40), notFoundPolls: 60 };
    expect(reason({ ...known, lastChangedAt: ago(13) })).toBeNull();
    expect(reason({ ...known, lastChangedAt: ago(14) })).toBe("no_updates_at_line");
  });

  test("is the reason with the highest precedence when several apply", () => {
    const everything = {
      progress: progress({ bookingCancelledAt: ago(9), ataAt: ago(90), containers: [container(ago(80), ago(70))] }),
      lastChangedAt: ago(70),
    };
    expect(reason({ ...everything, cancelledByUser: true })).toBe("cancelled_by_user");
    expect(reason(everything)).toBe("booking_cancelled");
    const terminated = { ...everything.progress, bookingCancelledAt: null };
    expect(reason({ ...everything, progress: terminated })).toBe("all_containers_terminated");
    const out = { ...terminated, containers: [container(ago(80), null)] };
    expect(reason({ ...everything, progress: out })).toBe("past_full_out_window");
    const arrived = { ...out, containers: [container(null, null)] };
    expect(reason({ ...everything, progress: arrived })).toBe("past_arrival_window");
  });

  test("a resumed shipment gets a grace period", () => {
    const silent = { lastChangedAt: ago(100) };
    expect(reason({ ...silent, resumedAt: ago(13) })).toBeNull();
    expect(reason({ ...silent, resumedAt: ago(14) })).toBe("no_updates_at_line");
    const cancelled = progress({ bookingCancelledAt: ago(1) });
    expect(reason({ progress: cancelled, resumedAt: ago(1) })).toBe("booking_cancelled");
  });

  test("thresholds are configurable", () => {
    const thresholds = { ...defaultStopThresholds, noUpdatesMs: dayMs };
    expect(shipmentStopReason(facts({ lastChangedAt: ago(1) }), now, thresholds)).toBe("no_updates_at_line");
  });
});
