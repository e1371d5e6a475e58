-- An appointment after the last free day is an exception (docs/exceptions.md).
CREATE TRIGGER appointment_container_changed AFTER UPDATE ON containers FOR EACH ROW
  WHEN (OLD.pickup_appointment_at IS DISTINCT FROM NEW.pickup_appointment_at)
  EXECUTE FUNCTION check_changed_container();

-- The priority has the rank of the kind in thousands: those before the new kind have one rank more.
UPDATE exceptions SET priority = priority + 1000
WHERE ended_at IS NULL AND kind IN ('last_free_day_over', 'last_free_day_today', 'customs_hold', 'hold',
  'missed_transshipment', 'port_of_discharge_changed', 'tracking_request_failed', 'fee');
