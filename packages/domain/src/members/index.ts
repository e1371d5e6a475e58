export {
  type DisplayPreferences,
  defaultPreferences,
  readPreferences,
  weightText,
} from "./display-preferences.ts";
export {
  isMemberRole,
  type MemberAction,
  type MemberRole,
  mayDo,
  memberRoles,
  minRoles,
  refusalMessage,
} from "./member-role.ts";
