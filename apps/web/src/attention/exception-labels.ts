import type { ExceptionStatus } from "@svc/domain/exceptions";

export const statusLabels: Readonly<Record<ExceptionStatus, string>> = {
  open: "Open",
  snoozed: "Snoozed",
  resolved: "Resolved",
};

export const resolutionLabels = {
  cleared: "The condition ended",
  tracking_stopped: "Tracking stopped",
  by_member: "Resolved by a member",
} as const;
