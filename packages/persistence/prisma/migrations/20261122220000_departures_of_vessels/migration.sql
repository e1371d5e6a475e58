-- Which container left a port on a vessel, for the times of the vessel's voyage.
CREATE INDEX transport_events_departures ON transport_events (account_id, vessel_id, port_id, occurred_at)
  WHERE invalidated_at IS NULL AND event IN ('vessel_departed', 'transshipment_departed', 'feeder_departed');
