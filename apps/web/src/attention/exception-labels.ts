import type { ExceptionStatus } from "@svc/domain/exceptions";
import type { ExceptionResource } from "@svc/sdk";

export const statusLabels: Readonly<Record<ExceptionStatus, string>> = {
  open: "Open",
  snoozed: "Snoozed",
  resolved: "Resolved",
};

export const resolutionLabels = {
  cleared: "The condition ended",
  superseded: "Superseded by the next step",
  tracking_stopped: "Tracking stopped",
  by_member: "Resolved by a member",
} as const;

/** "Resolved by ann@example.com". */
export const resolutionText = ({ resolution, resolved_by: by }: ExceptionResource["attributes"]): string | null =>
  by === null ? resolution && resolutionLabels[resolution] : `Resolved by ${by}`;
