import type { DataSource } from "@svc/domain/observations";

/** Moves through the gate, in the words of terminals. */
const gateLabels: Readonly<Record<string, string>> = {
  empty_out: "Empty pickup",
  full_in: "Gate in (full)",
  full_out: "Gate out (full)",
  empty_in: "Empty return",
};

/** "vessel_loaded" as "Vessel loaded". */
export function eventLabel(event: string): string {
  const gate = gateLabels[event];
  if (gate !== undefined) return gate;
  const text = event.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Events that are estimated before they are reported, as nouns. */
const comingEventLabels: Readonly<Record<string, string>> = {
  vessel_departed: "Vessel departure",
  transshipment_arrived: "Transshipment arrival",
  transshipment_departed: "Transshipment departure",
  vessel_arrived: "Vessel arrival",
  arrived_at_inland_destination: "Inland arrival",
};

/** An event that has not been reported yet: "vessel_arrived" as "Vessel arrival". */
export const comingEventLabel = (event: string): string => comingEventLabels[event] ?? eventLabel(event);

/** What the estimated time of an event is called. */
export const estimateLabel = (event: string): "ETA" | "ETD" => (event.endsWith("_departed") ? "ETD" : "ETA");

export const sourceLabels: Readonly<Record<DataSource, string>> = {
  shipping_line: "Carrier",
  terminal: "Terminal",
  ais: "AIS",
  rail: "Rail carrier",
};
