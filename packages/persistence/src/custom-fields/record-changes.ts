/** A change of a value is one of its record, which pages with live changes and exports then read again. */
export const isChange = "change_transaction_id = pg_current_xact_id()::text::bigint";
