-- The priority has the rank of the kind in thousands: those before connection_at_risk have one rank more.
UPDATE exceptions SET priority = priority + 1000
WHERE ended_at IS NULL AND kind IN ('last_free_day_over', 'last_free_day_today', 'customs_hold', 'hold',
  'missed_transshipment', 'port_of_discharge_changed', 'tracking_request_failed', 'fee', 'late_appointment',
  'last_free_day_soon');
