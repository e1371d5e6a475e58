import type { MemberRole } from "@svc/domain/members";

export const roleWords: Readonly<Record<MemberRole, string>> = {
  viewer: "Viewer",
  operator: "Operator",
  developer: "Developer",
  owner: "Owner",
};
