import { type MemberRole, minRoles } from "@svc/domain/members";
import { accessTable } from "./access-table.ts";

/** The least role for each path of a method. Null: anyone may use it, or a program by its token. */
const rolesOf = (requestedMethod: "GET" | "POST"): Readonly<Record<string, MemberRole | null>> =>
  Object.fromEntries(
    accessTable.flatMap(({ method, path, access }) =>
      method === requestedMethod ? [[path, access === "anyone" || access === "account" ? null : minRoles[access]]] : [],
    ),
  );

export const pageRoles = rolesOf("GET");
export const formRoles = rolesOf("POST");
