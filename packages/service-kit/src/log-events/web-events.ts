import { checkDatabase, type LogEventTable } from "./log-event-table.ts";

/** Events that only the web application logs. */
export const webEvents = {
  "live_changes.not_read": {
    levels: ["warn"],
    meaning: "Changes of records were not read: open pages are not updated. Logged once for each outage.",
    action: checkDatabase,
  },
  "setup.done": { levels: ["info"], meaning: "The first account was created." },
  "setup.waiting": {
    levels: ["warn"],
    meaning: "There is no account. The page at `address` creates the first one with `setup_code`.",
    action: "Create [the first account](dashboard.md#the-first-account).",
  },
  "single_sign_on.failed": {
    levels: ["warn"],
    meaning: "A sign-in by the `provider` failed for the `reason`.",
    action: "See the [causes](single-sign-on.md#when-it-fails).",
  },
  "single_sign_on.logged_out": {
    levels: ["info"],
    meaning: "The `provider` ended sessions by a back-channel logout, as many as `sessions`.",
  },
  "single_sign_on.logout_failed": {
    levels: ["warn"],
    meaning: "A back-channel logout by the `provider` was refused for the `reason`: no session ended.",
    action: "See [back-channel logout](single-sign-on.md#back-channel-logout).",
  },
} as const satisfies LogEventTable;
