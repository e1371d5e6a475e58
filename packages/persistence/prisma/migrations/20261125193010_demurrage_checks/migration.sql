-- What starts and ends the counting of days, and what rules are matched with, makes the check of a shipment due
-- (docs/demurrage.md). The columns beside those of exceptions_container_changed.
CREATE TRIGGER demurrage_container_changed AFTER UPDATE ON containers FOR EACH ROW
  WHEN ((OLD.empty_out_at, OLD.pol_full_in_at, OLD.pol_vessel_loaded_at, OLD.pol_vessel_departed_at, OLD.pod_arrived_at,
      OLD.pod_discharged_at, OLD.available_for_pickup, OLD.pod_rail_loaded_at, OLD.pod_terminal_id, OLD.equipment_type,
      OLD.equipment_length)
    IS DISTINCT FROM (NEW.empty_out_at, NEW.pol_full_in_at, NEW.pol_vessel_loaded_at, NEW.pol_vessel_departed_at,
      NEW.pod_arrived_at, NEW.pod_discharged_at, NEW.available_for_pickup, NEW.pod_rail_loaded_at, NEW.pod_terminal_id,
      NEW.equipment_type, NEW.equipment_length))
  EXECUTE FUNCTION check_changed_container();
