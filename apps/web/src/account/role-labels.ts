import type { MemberRole } from "@svc/domain/members";

export const roleLabels: Readonly<Record<MemberRole, string>> = {
  viewer: "Viewer",
  operator: "Operator",
  developer: "Developer",
  owner: "Owner",
};
