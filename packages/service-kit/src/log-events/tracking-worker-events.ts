import { checkDatabase, type LogEventTable } from "./log-event-table.ts";

const seeArchive = "See [ArchiveFailing](runbooks/archive-failing.md).";

/** Events that only the tracking worker logs. */
export const trackingWorkerEvents = {
  "accounts.suspensions_not_completed": {
    levels: ["warn"],
    meaning: "Work that began before the suspension of its account was not moved.",
    action: checkDatabase,
  },
  "ais.not_stored": {
    levels: ["warn"],
    meaning: "Vessel positions were not stored. They are kept in memory and stored later.",
    action: checkDatabase,
  },
  "ais.source_failed": {
    levels: ["warn"],
    meaning: "The connection to the AIS `source` ended for the `reason`. It is opened again.",
    action: "If it repeats, check address, key and network of the source ([vessel positions](vessel-positions.md)).",
  },
  "ais.sources_not_held": {
    levels: ["warn"],
    meaning:
      "The leases of the AIS sources were not renewed. The worker closes its connections when they end and tries again.",
    action: checkDatabase,
  },
  "ais.started": {
    levels: ["info"],
    meaning: "The worker receives vessel positions from the AIS `source`. No other worker is connected to it.",
  },
  "archive.object_not_removed": {
    levels: ["warn"],
    meaning: "An object that is no longer needed was not deleted. The next hour tries again.",
    action: seeArchive,
  },
  "archive.objects_removed": { levels: ["info"], meaning: "Objects that are no longer needed were deleted." },
  "archive.pass_failed": {
    levels: ["warn"],
    meaning: "A pass of the archive ended early. The next hour goes on.",
    action: seeArchive,
  },
  "archive.shipment_failed": {
    levels: ["warn"],
    meaning:
      "The replies of a finished shipment were not archived. They stay in the database, and the next hour tries again. " +
      "The pass goes on with the others, unless the object store failed three times in a row.",
    action: seeArchive,
  },
  "archive.shipments_archived": {
    levels: ["info"],
    meaning: "Replies of finished shipments were moved to the object store.",
  },
  "carrier.breaker_closed": { levels: ["info"], meaning: "A credential works again: polls with it go on." },
  "carrier.breaker_opened": {
    levels: ["warn"],
    meaning: "A credential of the carrier `scac` fails again and again: polls with it pause until `open_until`.",
    action: "See [CarrierBreakerOpened](runbooks/carrier-breaker-opened.md).",
  },
  "carrier.checks_not_claimed": {
    levels: ["warn"],
    meaning: "Due checks of unreachable carriers were not read.",
    action: checkDatabase,
  },
  "carrier.counts_not_written": {
    levels: ["warn"],
    meaning: "Counts of requests to carriers were not stored. They are kept and stored later.",
    action: checkDatabase,
  },
  "carrier.not_checked": {
    levels: ["warn"],
    meaning: "The outcome of the check of an unreachable carrier was not stored. It is checked again.",
    action: checkDatabase,
  },
  "carrier.probes_not_renewed": {
    levels: ["warn"],
    meaning: "The lease of a probe of a circuit breaker was not renewed: another worker may probe as well.",
    action: checkDatabase,
  },
  "carrier.reachable": {
    levels: ["info"],
    meaning: "A carrier that did not answer is back: its `subjects` are polled at once.",
  },
  "carrier_detection.failed": {
    levels: ["warn"],
    meaning: "The carrier of a tracking request was not detected, because of `err`. The next run tries again.",
    action: "None for a unique violation (`23505`). If one request repeats it, it is a defect: report the line.",
  },
  "carrier_detection.finished": {
    levels: ["info"],
    meaning: "A tracking request has its carrier, or failed: `outcome` is the SCAC or the `failed_reason`.",
  },
  "connection_test.failed": {
    levels: ["error"],
    meaning: "The test call of a carrier connection failed with an unexpected error.",
    action: "It is a defect: report the line.",
  },
  "connection_test.finished": {
    levels: ["info"],
    meaning: "A carrier connection was tested; `code` is the result that the member reads.",
  },
  "connection_test.not_claimed": {
    levels: ["warn"],
    meaning: "Requested test calls were not read.",
    action: checkDatabase,
  },
  "connection_test.not_stored": {
    levels: ["warn"],
    meaning: "The result of a test call was not stored. The call is made again when its lease ends.",
    action: checkDatabase,
  },
  "edi_file.not_taken": {
    levels: ["warn"],
    meaning: "A file in the EDI folder was not stored or not moved. Each scan tries again; this is logged once.",
    action: "Let the worker read the file, and create folders and rename files beside it ([EDI](edi.md)).",
  },
  "edi_file.received": { levels: ["info"], meaning: "An EDI file was stored as `file_id` and will be read." },
  "edi_file.too_large": {
    levels: ["warn"],
    meaning: "An EDI file is too large to be stored. It was rejected as `file_id`.",
    action: "Ask the partner for smaller files.",
  },
  "edi_folder.not_read": {
    levels: ["warn"],
    meaning: "The EDI folder was not scanned. The next scan tries again.",
    action: "If it repeats, check `SVC_EDI_FOLDER`, its mount and its permissions, and PostgreSQL.",
  },
  "edi_mail.not_taken": {
    levels: ["warn"],
    meaning: "A mail in an EDI mailbox was flagged for a person, for the `reason`.",
    action: "Read the flagged mail; add its sender to `senders` if it may send files ([EDI](edi.md#mail)).",
  },
  "edi_source.failed": {
    levels: ["error"],
    meaning: "The poll of an SFTP server or mailbox failed with an unexpected error. It is polled again.",
    action: "None for a lost database or lease. Otherwise it is a defect: report the line.",
  },
  "edi_source.poll_failed": {
    levels: ["warn"],
    meaning: "An SFTP server or mailbox was not polled to the end, for the `code` and its `detail`.",
    action: "Look the `code` up in [EDI](edi.md).",
  },
  "edi_sources.not_polled": {
    levels: ["warn"],
    meaning: "SFTP servers and mailboxes that are due were not claimed, or their poll was not stored.",
    action: checkDatabase,
  },
  "event_message.applied_one_by_one": {
    levels: ["warn"],
    meaning: "Events of several subjects were not applied together, so each subject is applied by itself.",
    action: "None: `event_message.failed` follows if that fails as well.",
  },
  "event_message.claim_failed": {
    levels: ["error"],
    meaning: "Received pushes, imports and EDI files were not read. They wait.",
    action: checkDatabase,
  },
  "event_message.failed": {
    levels: ["error"],
    meaning: "A push, an import or an EDI file was not processed. It is retried after `retry_in_ms`.",
    action:
      "If one message repeats it, it is a defect: report the line. Later ones of its account wait for four tries.",
  },
  "event_message.leases_not_renewed": {
    levels: ["warn"],
    meaning: "Leases of messages were not renewed. Those that expire are processed again.",
    action: checkDatabase,
  },
  "event_message.not_released": {
    levels: ["warn"],
    meaning: "A message that failed was not released. It is processed again when its lease expires.",
    action: checkDatabase,
  },
  "event_message.processed": {
    levels: ["info"],
    meaning: "A push, an import or an EDI file was processed, with the numbers of its events by what became of them.",
  },
  "events.not_removed": {
    levels: ["warn"],
    meaning: "Records older than their retention were not removed. The next hour tries again.",
    action: checkDatabase,
  },
  "events.removed": {
    levels: ["info"],
    meaning: "Pushes, imports, EDI files, audit events and vessel positions older than their retention were removed.",
  },
  "exceptions.changed": { levels: ["info"], meaning: "Exceptions of an account were opened or resolved." },
  "exceptions.check_failed": {
    levels: ["error"],
    meaning: "The rules failed for one subject, whose exceptions stay as they are. It is checked again later.",
    action: "It is a defect: report the line.",
  },
  "exceptions.not_checked": {
    levels: ["warn"],
    meaning:
      "The exceptions of an account, or of all without `account_id`, were not checked. The next second tries again.",
    action: checkDatabase,
  },
  "poll.failed": {
    levels: ["error"],
    meaning: "A poll failed with an unexpected error. The subject is polled again by its retry schedule.",
    action: "It is a defect: report the line. The stored state is not affected.",
  },
  "poll.failure_not_recorded": {
    levels: ["error"],
    meaning: "The failure of a poll was not stored either. The subject is polled again when its lease expires.",
    action: "See the `poll.failed` before it.",
  },
  "poll.finished": {
    levels: ["info", "warn"],
    meaning:
      "A subject was polled, with the `outcome` and the time of the next poll; `warn`: credentials were refused.",
    action: "Renew the credentials, or inform the account: see [CarrierFailing](runbooks/carrier-failing.md).",
  },
  "poll.not_connected": {
    levels: ["info"],
    meaning: "No connection can poll the carrier `scac` for this account: the shipment depends on imports.",
  },
  "poll.not_released": {
    levels: ["warn"],
    meaning: "A subject was not released. It is polled again when its lease expires.",
    action: checkDatabase,
  },
  "poll.postponed": {
    levels: ["warn"],
    meaning: "PostgreSQL was unavailable when a reply was to be stored. The subject is polled again in 5 s.",
    action: checkDatabase,
  },
  "poll.released": {
    levels: ["info"],
    meaning: "A poll was cancelled by a shutdown or a lost lease. It is due again.",
  },
  "polls.batch_not_settled": {
    levels: ["warn"],
    meaning: "Polls with unchanged replies were not stored together, so each is stored by itself.",
    action: checkDatabase,
  },
  "predictions.not_made": {
    levels: ["warn"],
    meaning: "Arrivals were not predicted from vessel positions. The next run tries again.",
    action: checkDatabase,
  },
  "statistics.not_refreshed": {
    levels: ["warn"],
    meaning:
      "The planner's statistics of `table`, which grew, were not renewed. This worker leaves it to autovacuum for ten minutes; no `table`: the next run tries again.",
    action: checkDatabase,
  },
  "statistics.refreshed": {
    levels: ["debug"],
    meaning: "The planner's statistics of `tables` were renewed, because they had grown by half.",
  },
  "tracking.claim_failed": {
    levels: ["error"],
    meaning: "Due subjects were not claimed: no poll starts until this ends.",
    action: "Look in PostgreSQL for the cause in `err`. See [TrackingLate](runbooks/tracking-late.md).",
  },
  "tracking.leases_not_renewed": {
    levels: ["warn"],
    meaning: "Leases of subjects were not renewed. Those that expire are polled again.",
    action: checkDatabase,
  },
  "tracking.places_not_refreshed": {
    levels: ["warn"],
    meaning: "The port directory was not read again: the worker uses the one that it has.",
    action: checkDatabase,
  },
  "tracking.requeue_failed": {
    levels: ["warn"],
    meaning: "Requests without a scheduled poll were not looked for. The next minute tries again.",
    action: checkDatabase,
  },
  "tracking.started": { levels: ["info"], meaning: "The worker polls these `carriers` and `terminals`." },
  "tracking.stranded_requests_requeued": {
    levels: ["error"],
    meaning: "Requests waited without a scheduled poll and were made due.",
    action: "See [TrackingStrandedRequests](runbooks/tracking-stranded-requests.md).",
  },
} as const satisfies LogEventTable;
