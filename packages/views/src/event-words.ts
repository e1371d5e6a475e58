import type { DataSource } from "@svc/domain/observations";

/** "vessel_loaded" as "Vessel loaded". */
export function eventWords(event: string): string {
  const words = event.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const sourceWords: Readonly<Record<DataSource, string>> = {
  shipping_line: "Shipping line",
  terminal: "Terminal",
  ais: "Position of the vessel",
  rail: "Rail carrier",
};
