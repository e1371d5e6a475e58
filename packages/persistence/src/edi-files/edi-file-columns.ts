const columnsBeforeResult = `f.id, f.name, f.source, f.partner, f.scac, f.received_at AS "receivedAt",
  f.size_bytes AS "sizeBytes", f.status, f.sender, f.control_number AS "controlNumber",
  f.duplicate_of AS "duplicateOf"`;

export const ediFileColumns = `${columnsBeforeResult}, f.result`;

/** Columns without the lists and the acknowledgement, which may have megabytes. */
export const listedEdiFileColumns = `${columnsBeforeResult},
  f.result - '{notes,unmapped,faults,acknowledgement}'::text[]
    || jsonb_build_object('unmappedCount', jsonb_array_length(f.result->'unmapped')) AS result`;
