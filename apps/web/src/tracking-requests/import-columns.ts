import type { ImportColumn } from "@svc/domain/event-imports";
import type { FileColumn } from "../forms/file-columns.ts";

const eventCodes =
  "Of a transport: ARRI arrived, DEPA departed. Of a container: LOAD loaded, DISC discharged, GTIN gate in, GTOT gate out, " +
  "STUF stuffed, STRP stripped, PICK picked up, DROP dropped off, INSP inspected, RSEA resealed, RMVD seal removed.";

const meanings: Readonly<Record<ImportColumn, Omit<FileColumn, "name">>> = {
  scac: { required: true, meaning: "SCAC of the carrier of the tracking request.", example: "SBXL" },
  number: { required: true, meaning: "Number of the tracking request.", example: "SBXDIR000123" },
  event_code: { required: true, meaning: eventCodes, example: "LOAD" },
  classifier: { required: true, meaning: "PLN planned, EST estimated, ACT actual.", example: "ACT" },
  event_time: { required: true, meaning: "ISO 8601 with its offset.", example: "2026-03-05T17:45:00+08:00" },
  container_number: {
    required: "For events of a container",
    meaning: "Number of the container.",
    example: "MSKU0000006",
  },
  locode: { meaning: "UN/LOCODE of the place.", example: "CNSHA" },
  facility_code: { meaning: "SMDG code of the facility.", example: "" },
  facility_type: {
    meaning:
      "POTE port terminal, RAMP rail ramp, DEPO depot, INTE inland terminal, OFFD off-dock storage, CLOC customer location, " +
      "COFS container freight station, BOCR border crossing.",
    example: "POTE",
  },
  mode: { meaning: "VESSEL, RAIL, TRUCK or BARGE.", example: "VESSEL" },
  vessel_imo: { meaning: "IMO number of the vessel.", example: "9321483" },
  vessel_name: { meaning: "Name of the vessel.", example: "Emma Maersk" },
  voyage: { meaning: "Voyage number.", example: "012W" },
  empty: { meaning: "EMPTY or LADEN.", example: "LADEN" },
  equipment_type: { meaning: "ISO 6346 size and type.", example: "45G1" },
  event_id: { meaning: "Your id of the event. It distinguishes a repeated estimate from an earlier one.", example: "" },
};

export const eventColumns: readonly FileColumn[] = Object.entries(meanings).map(([name, column]) => ({
  name,
  ...column,
}));

/** Columns of a table of numbers to track. */
export const numberColumns: readonly FileColumn[] = [
  { name: "Number", required: true, meaning: "Bill of lading, booking or container number.", example: "SBXDIR000123" },
  { name: "Carrier", meaning: "SCAC. Empty: detected.", example: "SBXL" },
  { name: "Customer", meaning: "Name of the customer.", example: "" },
  { name: "Reference", meaning: "Your reference.", example: "PO-4711" },
];
