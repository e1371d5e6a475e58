/** The parts of a documented number. */
export interface ShipmentNumber {
  /** `SBXDIR000123`: the bill of lading, and the key of the shipment in the register. */
  readonly billOfLading: string;
  /** `SBXDIRB000123`. */
  readonly booking: string;
  /** `DIR`. */
  readonly scenario: string;
  /** 0 to 999999. */
  readonly seed: number;
}

const shape = /^(?:SBXL)?SBX([A-Z0-9]{3})(B?)(\d{6})$/;

function read(text: string, isBooking: boolean): ShipmentNumber | null {
  const match = shape.exec(text.trim().toUpperCase());
  if (!match || (match[2] === "B") !== isBooking) return null;
  const [, scenario = "", , digits = ""] = match;
  return {
    billOfLading: `SBX${scenario}${digits}`,
    booking: `SBX${scenario}B${digits}`,
    scenario,
    seed: Number(digits),
  };
}

/** Parses a bill of lading with or without the SCAC prefix; null when it does not have the format. */
export function readBillOfLading(text: string): ShipmentNumber | null {
  return read(text, false);
}

/** Parses a booking number with or without the SCAC prefix; null when it does not have the format. */
export function readBooking(text: string): ShipmentNumber | null {
  return read(text, true);
}
