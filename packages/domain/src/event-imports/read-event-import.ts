import { isLocode, isValidImoNumber } from "../identifiers/codes.ts";
import { normalizeContainerNumber } from "../identifiers/container-number.ts";
import { compactNumber } from "../identifiers/shipment-number.ts";
import { instant, readInstant } from "../instant.ts";
import { localDateAt, type TimeZoneOf } from "../local-time.ts";
import type { Classifier, EventType, ObservationDraft, TransportMode } from "../observations/observation.ts";
import { readCsv } from "./read-csv.ts";

/** Columns of an import row. Every value is text; an empty one counts as absent. */
export const importColumns = [
  "scac",
  "number",
  "event_code",
  "classifier",
  "event_time",
  "container_number",
  "locode",
  "facility_code",
  "facility_type",
  "mode",
  "vessel_imo",
  "vessel_name",
  "voyage",
  "empty",
  "equipment_type",
  "event_id",
] as const;
export type ImportColumn = (typeof importColumns)[number];
type Row = Readonly<Partial<Record<ImportColumn, string>>>;

export const importRowsMax = 1_000;

export interface ImportedEvent {
  /** Counted from 1, without the header. */
  readonly row: number;
  readonly scac: string;
  /** The compact number of the event's tracking request. */
  readonly number: string;
  readonly draft: ObservationDraft;
}

export interface ImportFault {
  /** Null: a fault of the whole file. */
  readonly row: number | null;
  readonly column: ImportColumn | null;
  readonly detail: string;
}

const transportCodes = new Set(["ARRI", "DEPA"]);
const equipmentCodes = new Set([
  "LOAD",
  "DISC",
  "GTIN",
  "GTOT",
  "STUF",
  "STRP",
  "PICK",
  "DROP",
  "INSP",
  "RSEA",
  "RMVD",
]);
const classifiers: ReadonlySet<string> = new Set<Classifier>(["PLN", "EST", "ACT"]);
const modes: ReadonlySet<string> = new Set<TransportMode>(["VESSEL", "RAIL", "TRUCK", "BARGE"]);
const facilityTypes = new Set(["BOCR", "CLOC", "COFS", "OFFD", "DEPO", "INTE", "POTE", "RAMP"]);
const emptyValues: Readonly<Record<string, boolean>> = { EMPTY: true, LADEN: false };

/** Validates each column; returns a message when the value is wrong. */
const checks: Readonly<Partial<Record<ImportColumn, (value: string) => string | null>>> = {
  scac: (value) => (/^[A-Z]{2,4}$/.test(value) ? null : "must be two to four capital letters"),
  number: (value) =>
    /^[A-Z0-9]{4,35}$/.test(compactNumber(value)) ? null : "must be the number of a tracking request",
  event_code: (value) =>
    transportCodes.has(value) || equipmentCodes.has(value)
      ? null
      : `must be one of ${[...transportCodes, ...equipmentCodes].join(", ")}`,
  classifier: (value) => (classifiers.has(value) ? null : "must be PLN, EST or ACT"),
  event_time: (value) =>
    value.includes("T") && readInstant(value) !== null
      ? null
      : "must be an ISO 8601 time with its offset, for example 2026-03-05T17:45:00+08:00",
  container_number: (value) =>
    /^[A-Z0-9]{4,15}$/.test(normalizeContainerNumber(value)) ? null : "must be a container number",
  locode: (value) => (isLocode(value) ? null : "must be a UN/LOCODE, for example CNSHA"),
  facility_code: (value) => (value.length <= 15 ? null : "must be a facility code of SMDG, at most 15 characters"),
  facility_type: (value) => (facilityTypes.has(value) ? null : `must be one of ${[...facilityTypes].join(", ")}`),
  mode: (value) => (modes.has(value) ? null : `must be one of ${[...modes].join(", ")}`),
  vessel_imo: (value) => (isValidImoNumber(value) ? null : "must be an IMO number with its check digit"),
  empty: (value) => (Object.hasOwn(emptyValues, value) ? null : "must be EMPTY or LADEN"),
  equipment_type: (value) =>
    /^[A-Z0-9]{4}$/.test(value) ? null : "must be an ISO 6346 size and type, for example 45G1",
};

const required: readonly ImportColumn[] = ["scac", "number", "event_code", "classifier", "event_time"];
const textLengthMax = 250;

/** Many systems write every time in UTC, so a zero offset does not give the local time. */
const utcOffset = /(?:Z|[+-]00:00)$/i;

/**
 * Reads the events of a file, or all its faults: a file is imported completely or not at all. JSON is
 * `{"rows": [row, …]}`; CSV has the column names in its first line. `timeZoneOf` is used for the events' local dates.
 */
export function readEventImport(
  form: "json" | "csv",
  text: string,
  timeZoneOf: TimeZoneOf = () => null,
): { readonly events: readonly ImportedEvent[] } | { readonly faults: readonly ImportFault[] } {
  const rows = form === "csv" ? csvRows(text) : jsonRows(text);
  if (!Array.isArray(rows)) return { faults: [rows as ImportFault] };
  if (rows.length === 0) return { faults: [fault(null, null, "The file holds no event.")] };
  if (rows.length > importRowsMax) {
    return { faults: [fault(null, null, `A file may hold ${importRowsMax} events. Split it.`)] };
  }
  const events: ImportedEvent[] = [];
  const faults: ImportFault[] = [];
  rows.forEach((row, index) => {
    const wrong = checkRow(row, index + 1);
    if (wrong.length > 0) faults.push(...wrong);
    else events.push(toImportedEvent(row as Row, index + 1, timeZoneOf));
  });
  return faults.length > 0 ? { faults } : { events };
}

const fault = (row: number | null, column: ImportColumn | null, detail: string): ImportFault => ({
  row,
  column,
  detail,
});

function jsonRows(text: string): readonly unknown[] | ImportFault {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fault(null, null, "The file is not JSON.");
  }
  const events = (value as { rows?: unknown } | null)?.rows;
  return Array.isArray(events) ? events : fault(null, null, 'The file must be {"rows": [ … ]}.');
}

function csvRows(text: string): readonly unknown[] | ImportFault {
  const records = readCsv(text);
  if (typeof records === "string") return fault(null, null, records);
  const [header, ...rest] = records;
  const names = header?.fields.map((name) => name.toLowerCase()) ?? [];
  const unknown = names.find((name) => !importColumns.includes(name as ImportColumn));
  if (unknown !== undefined || new Set(names).size !== names.length) {
    const problem =
      unknown === undefined ? "The header names a column twice." : `There is no column ${JSON.stringify(unknown)}.`;
    return fault(null, null, `${problem} The columns are ${importColumns.join(", ")}.`);
  }
  return rest.map(({ fields }) =>
    fields.length === names.length ? Object.fromEntries(names.map((name, index) => [name, fields[index]])) : fields,
  );
}

function checkRow(row: unknown, number: number): ImportFault[] {
  if (Array.isArray(row)) return [fault(number, null, "The row has another number of fields than the header.")];
  if (typeof row !== "object" || row === null) return [fault(number, null, "The row must be an object.")];
  const faults: ImportFault[] = [];
  for (const [name, value] of Object.entries(row)) {
    const column = importColumns.find((each) => each === name);
    if (column === undefined)
      faults.push(fault(number, null, `There is no column ${JSON.stringify(name.slice(0, 50))}.`));
    else if (typeof value !== "string") faults.push(fault(number, column, `${column} must be text.`));
    else if (value.length > textLengthMax || /\p{Cc}/u.test(value) || !value.isWellFormed()) {
      faults.push(fault(number, column, `${column} must be plain text of at most ${textLengthMax} characters.`));
    } else if (value !== "") {
      const problem = checks[column]?.(value) ?? null;
      if (problem !== null) faults.push(fault(number, column, `${column} ${problem}.`));
    }
  }
  const fields = row as Row;
  for (const column of required) {
    if ((fields[column] ?? "") === "") faults.push(fault(number, column, `${column} is missing.`));
  }
  if (equipmentCodes.has(fields.event_code ?? "") && (fields.container_number ?? "") === "") {
    faults.push(
      fault(number, "container_number", `container_number is missing: ${fields.event_code} happens to a container.`),
    );
  }
  return faults;
}

const orNull = (value: string | undefined): string | null => (value === undefined || value === "" ? null : value);

function toImportedEvent(row: Row, number: number, timeZoneOf: TimeZoneOf): ImportedEvent {
  const code = row.event_code ?? "";
  const eventType: EventType = transportCodes.has(code) ? "TRANSPORT" : "EQUIPMENT";
  const [imo, name, voyage] = [orNull(row.vessel_imo), orNull(row.vessel_name), orNull(row.voyage)];
  const mode = orNull(row.mode) as TransportMode | null;
  const facilityCode = orNull(row.facility_code);
  const container = orNull(row.container_number);
  const time = row.event_time ?? "";
  const eventAt = instant(time);
  const timeZone = row.locode ? timeZoneOf(row.locode) : null;
  return {
    row: number,
    scac: row.scac ?? "",
    number: compactNumber(row.number ?? ""),
    draft: {
      eventType,
      code,
      classifier: row.classifier as Classifier,
      eventAt,
      timePrecision: "exact",
      localDate: localDateAt(eventAt, timeZone) ?? (utcOffset.test(time) ? null : time.slice(0, 10)),
      statedAt: null,
      sourceEventId: orNull(row.event_id),
      dataSource: "shipping_line",
      containerNumber: container === null ? null : normalizeContainerNumber(container),
      isEmpty: emptyValues[row.empty ?? ""] ?? null,
      isoEquipmentCode: orNull(row.equipment_type),
      seals: [],
      place: {
        locode: orNull(row.locode),
        name: null,
        facilityCode,
        facilityCodeProvider: facilityCode === null ? null : "SMDG",
        facilityType: orNull(row.facility_type),
      },
      call:
        mode === null && imo === null && name === null && voyage === null
          ? null
          : {
              reference: null,
              mode: mode ?? (transportCodes.has(code) ? "VESSEL" : null),
              vessel: imo === null && name === null ? null : { imo, name },
              importVoyage: voyage,
              exportVoyage: voyage,
              sequence: null,
            },
      documentType: null,
      documentId: null,
      reason: null,
      retracted: false,
    },
  };
}
