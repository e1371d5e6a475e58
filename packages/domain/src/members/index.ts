export {
  type DisplayPreferences,
  defaultPreferences,
  readPreferences,
  weightText,
} from "./display-preferences.ts";
export {
  isMemberRole,
  leastRoles,
  type MemberAction,
  type MemberRole,
  mayDo,
  memberRoles,
  refusalOf,
} from "./member-role.ts";
