import { type MemberRole, minRoles } from "@svc/domain/members";
import type { Route } from "../http/define-route.ts";
import { routes } from "../routes.ts";

/** The least role for each path of a method. Null: anyone may use it, or a program by its token. */
const rolesOf = (requestedMethod: Route["method"]): Readonly<Record<string, MemberRole | null>> =>
  Object.fromEntries(
    routes.flatMap(({ method, path, access }) =>
      method === requestedMethod ? [[path, access === "anyone" || access === "account" ? null : minRoles[access]]] : [],
    ),
  );

export const pageRoles = rolesOf("GET");
export const formRoles = rolesOf("POST");
