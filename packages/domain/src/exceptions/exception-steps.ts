import type { ExceptionKind } from "./exception.ts";

/** The kinds in which a case goes on when an exception of a kind ends, in both directions (docs/exceptions.md). */
const nextKinds: Readonly<Partial<Record<ExceptionKind, readonly ExceptionKind[]>>> = {
  last_free_day_soon: ["last_free_day_today", "last_free_day_over"],
  last_free_day_today: ["last_free_day_over", "last_free_day_soon"],
  last_free_day_over: ["last_free_day_today", "last_free_day_soon"],
  late_appointment: ["last_free_day_over"],
  connection_at_risk: ["missed_transshipment"],
  tracking_request_waiting: ["tracking_request_failed"],
};

/** Each kind with one in which its case goes on. */
export const exceptionSteps: readonly (readonly [from: ExceptionKind, to: ExceptionKind])[] = Object.entries(
  nextKinds,
).flatMap(([from, kinds]) => kinds.map((to) => [from as ExceptionKind, to] as const));

/** Kinds of an arrival: that of the shipment, or of each of its containers while they arrive separately. */
export const arrivalKinds: readonly ExceptionKind[] = ["arrival_overdue", "eta_delay"];

export interface ExceptionStep {
  readonly kind: ExceptionKind;
  /** Id of the container, shipment or tracking request. */
  readonly subjectId: string;
  /** Id of the shipment, also of its containers, or of the tracking request. */
  readonly scopeId: string;
}

/**
 * Whether an exception that opens as another one ends takes its place: another step of the same subject, or an arrival
 * that was of the shipment and is of one of its containers now, or the reverse.
 */
export function isNextStep(from: ExceptionStep, to: ExceptionStep): boolean {
  if (from.subjectId === to.subjectId) return nextKinds[from.kind]?.includes(to.kind) ?? false;
  const isScopeStep = (one: ExceptionStep) => one.subjectId === one.scopeId;
  return (
    arrivalKinds.includes(from.kind) &&
    from.kind === to.kind &&
    from.scopeId === to.scopeId &&
    isScopeStep(from) !== isScopeStep(to)
  );
}

/** What members gave an exception and its next step keeps. A snooze is of one step: it must not hide the next one. */
export interface ExceptionHandling {
  readonly ownerUserId: string | null;
  readonly note: string | null;
}

/** The first owner and the first note of the superseded exceptions, which are the most urgent first. */
export const inheritedHandling = (superseded: readonly ExceptionHandling[]): ExceptionHandling => ({
  ownerUserId: superseded.find(({ ownerUserId }) => ownerUserId !== null)?.ownerUserId ?? null,
  note: superseded.find(({ note }) => note !== null)?.note ?? null,
});
