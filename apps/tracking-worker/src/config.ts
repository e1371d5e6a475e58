import { archiveProblems, archiveVariables } from "@svc/archive";
import { CarrierConnectionList, TerminalConnectionList } from "@svc/carriers";
import { ConfigError, databaseVariables, processVariables, readConfig, secretKeys } from "@svc/service-kit";
import { z } from "zod";
import { AisSourceList } from "./ais/ais-source.ts";
import { EdiMailboxList } from "./edi-mail/mailbox.ts";
import { SftpServerList } from "./edi-sftp/sftp-server.ts";

const days = z.coerce.number().positive().max(3_650);
const count = z.coerce.number().int().min(1).max(1_000);

export const variables = {
  ...processVariables,
  ...databaseVariables,
  SVC_CARRIERS: CarrierConnectionList.prefault("[]").describe(
    "JSON array of carrier connections; see docs/carriers.md",
  ),
  SVC_SECRET_KEY: secretKeys
    .optional()
    .describe(
      "decrypts the credentials of accounts' carrier connections, same key as the API; without it they are not used",
    ),
  SVC_TERMINALS: TerminalConnectionList.prefault("[]").describe(
    "JSON array of terminal connections; see docs/terminals.md",
  ),
  SVC_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .default("http://localhost:4000/v2")
    .describe("public address of the API, for the links in notifications"),
  SVC_CLOCK_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("URL of the sandbox carrier's clock, which tracking follows; default: real time"),
  SVC_TRACKING_RETRY_LIMIT: count.default(14).describe("failed polls after which a pending request fails"),
  SVC_TRACKING_MANIFEST_DAYS: days.default(7).describe("days that a request awaits its manifest"),
  SVC_TRACKING_ARRIVAL_WINDOW_DAYS: days.default(56).describe("days after arrival at which tracking ends"),
  SVC_TRACKING_FULL_OUT_WINDOW_DAYS: days.default(56).describe("days after the last pickup at which tracking ends"),
  SVC_TRACKING_NO_UPDATES_WINDOW_DAYS: days.default(56).describe("days without updates after which tracking ends"),
  SVC_AUDIT_RETENTION_DAYS: days.default(400).describe("retention of the audit log, in days"),
  SVC_EVENT_MESSAGE_RETENTION_DAYS: days.default(90).describe("retention of applied pushes and imports, in days"),
  SVC_ARCHIVE_AFTER_DAYS: days
    .optional()
    .describe("days after the end of tracking at which the replies of a shipment are archived; default: never"),
  ...archiveVariables,
  SVC_EDI_FOLDER: z.string().min(1).optional().describe("folder where partners drop EDI files; see docs/edi.md"),
  SVC_AIS_SOURCES: AisSourceList.prefault("[]").describe(
    "JSON array of AIS sources of vessel positions, for every tracking worker; see docs/vessel-positions.md",
  ),
  SVC_VESSEL_POSITION_RETENTION_DAYS: days.default(90).describe("retention of vessel positions, in days"),
  SVC_EDI_SFTP: SftpServerList.prefault("[]").describe(
    "JSON array of SFTP servers on which partners leave EDI files; see docs/edi.md",
  ),
  SVC_EDI_MAILBOXES: EdiMailboxList.prefault("[]").describe(
    "JSON array of IMAP mailboxes to which partners send EDI files; see docs/edi.md",
  ),
  SVC_TRACKING_CONCURRENCY: count.default(32).describe("concurrent polls in this process"),
  SVC_TRACKING_CARRIER_CONCURRENCY: count.default(4).describe("concurrent polls of one carrier in this process"),
};

export type TrackingWorkerConfig = ReturnType<typeof loadConfig>;

export function loadConfig(environment: Readonly<Record<string, string | undefined>>) {
  const config = readConfig("tracking-worker", variables, environment);
  const problems = archiveProblems(config);
  if (config.SVC_ARCHIVE_AFTER_DAYS !== undefined && config.SVC_ARCHIVE_URL === undefined)
    problems.push("SVC_ARCHIVE_AFTER_DAYS needs SVC_ARCHIVE_URL");
  if (problems.length > 0)
    throw new ConfigError(
      "tracking-worker",
      problems.map((problem) => `  ${problem}`),
    );
  return config;
}
