-- The condition of isPickedUpOnly in packages/persistence/src/overviews/overview-tables.ts.
CREATE INDEX CONCURRENTLY shipments_picked_up ON shipments (account_id, created_at DESC, id DESC)
  WHERE containers_picked_up AND NOT containers_returned
    AND (line_tracking_stopped_reason IN ('all_containers_terminated', 'booking_cancelled')) IS NOT TRUE;
