import type { LogEventTable } from "./log-event-table.ts";

const checkFolder = "Check the disk and the permissions of `SVC_SANDBOX_DATA_DIR`.";

/** Events that only the sandbox carrier logs. */
export const carrierSandboxEvents = {
  "ais.answered": { levels: ["debug"], meaning: "Positions of the sandbox vessels were sent." },
  "clock.not_saved": {
    levels: ["error"],
    meaning: "The simulated time was not stored: after a restart it goes on from an earlier one.",
    action: checkFolder,
  },
  "events.answered": { levels: ["info"], meaning: "A query for events of a `number` was answered." },
  "events.fault_injected": {
    levels: ["info"],
    meaning: "A query was answered by the `fault` of the scenario ([sandbox](sandbox.md)).",
  },
  "push.accepted": { levels: ["info"], meaning: "A subscriber accepted pushed events." },
  "push.failed": { levels: ["info"], meaning: "A subscriber did not accept pushed events. They are pushed again." },
  "push.not_recorded": {
    levels: ["error"],
    meaning: "The progress of a subscription was not stored: its events may be pushed twice.",
    action: checkFolder,
  },
  "terminal.answered": { levels: ["info"], meaning: "A query for a container at a terminal was answered." },
} as const satisfies LogEventTable;
