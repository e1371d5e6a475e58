-- The last estimates that subscribers were notified of, and the time of observation of an estimate. A view keeps the
-- names of its columns when its table's are renamed.
ALTER TABLE shipments RENAME COLUMN told_pol_etd_at TO notified_pol_etd_at;
ALTER TABLE shipments RENAME COLUMN told_pod_eta_at TO notified_pod_eta_at;
ALTER TABLE containers RENAME COLUMN told_ind_eta_at TO notified_ind_eta_at;
ALTER VIEW own_shipments RENAME COLUMN told_pol_etd_at TO notified_pol_etd_at;
ALTER VIEW own_shipments RENAME COLUMN told_pod_eta_at TO notified_pod_eta_at;
ALTER VIEW own_containers RENAME COLUMN told_ind_eta_at TO notified_ind_eta_at;
ALTER TABLE eta_samples RENAME COLUMN heard_at TO observed_at;
