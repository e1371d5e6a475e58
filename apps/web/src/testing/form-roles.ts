import { leastRoles, type MemberRole } from "@svc/domain/members";
import { routes } from "../routes.ts";

/** The least role that may submit each form. Null: no session is needed. */
export const formRoles: Readonly<Record<string, MemberRole | null>> = Object.fromEntries(
  routes.flatMap(({ method, path, access }) =>
    method === "POST" ? [[path, access === "anyone" ? null : leastRoles[access]]] : [],
  ),
);
