import type { ExceptionResolution, ExceptionStatus } from "@svc/domain/exceptions";
import type { ExceptionResource } from "@svc/sdk";

export const statusLabels: Readonly<Record<ExceptionStatus, string>> = {
  open: "Open",
  snoozed: "Snoozed",
  resolved: "Resolved",
};

const resolutionLabels: Readonly<Record<ExceptionResolution, string>> = {
  cleared: "The condition ended",
  superseded: "Superseded by the next step",
  tracking_stopped: "Tracking stopped",
  by_member: "Resolved by a member",
};

/** Label of a resolution. During an upgrade, the API may be newer and have one without a label. */
export function resolutionLabel(resolution: ExceptionResolution): string {
  const known: Partial<typeof resolutionLabels> = resolutionLabels;
  return known[resolution] ?? resolutionLabels.cleared;
}

/** "Resolved by ann@example.com". */
export const resolutionText = ({ resolution, resolved_by: by }: ExceptionResource["attributes"]): string | null =>
  by === null ? resolution && resolutionLabel(resolution) : `Resolved by ${by}`;
