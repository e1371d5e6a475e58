import { normalizeContainerNumber } from "@svc/domain/identifiers";
import type { RequestType } from "@svc/domain/tracking-requests";
import type { Client } from "@svc/sdk";
import { quotedValue } from "../../text/clean-text.ts";
import { canBeTracked, checkDigitProblem } from "./number-advice.ts";
import { ToolError } from "./tool-error.ts";

export interface NumberToTrack {
  readonly number: string;
  readonly numberType?: RequestType | undefined;
  readonly scac?: string | undefined;
}

export interface Identity {
  readonly type: RequestType;
  readonly scac: string;
}

/** Upper case; without spaces and dashes when it is a container's. */
export function normalNumber({ number, numberType }: NumberToTrack): string {
  const asContainer = normalizeContainerNumber(number);
  const isContainer = numberType === "container" || /^[A-Z]{4}\d{7}$/.test(asContainer);
  return isContainer ? asContainer : number.toUpperCase();
}

/** Throws ToolError for what cannot be a number of a carrier, unless the caller names its type or the carrier. */
export function checkNumber({ number, numberType, scac }: NumberToTrack): void {
  if (numberType === undefined && scac === undefined && !canBeTracked(number)) {
    const message = `${quotedValue(number)} is not a container, bill of lading or booking number. Ask for the number, such as MSCU1234566.`;
    throw new ToolError({ code: "number_refused", message });
  }
  const problem = numberType === undefined ? checkDigitProblem(number) : undefined;
  if (problem === undefined) return;
  const message = `${problem} If the container really has it, call again with numberType=container.`;
  throw new ToolError({ code: "check_digit_wrong", message });
}

/** Number type and carrier, given or detected. A container number's letters name its owner, not the carrier. */
export async function identify({ number, numberType, scac }: NumberToTrack, client: Client): Promise<Identity> {
  if (numberType !== undefined && scac !== undefined) return { type: numberType, scac };
  const { number_type, shipping_line } = (await client.trackingRequests.inferNumber(number)).data.attributes;
  const type = numberType ?? (number_type === "booking" ? "booking_number" : number_type);
  const selected = shipping_line.decision === "auto_select" ? shipping_line.selected?.scac : undefined;
  const carrier = scac ?? selected;
  if (carrier !== undefined) return { type, scac: carrier };
  const candidates = shipping_line.candidates.slice(0, 5).map(({ scac, name }) => `${scac} (${name})`);
  const hint =
    candidates.length > 0
      ? `Possible: ${candidates.join(", ")}. Call again with scac=${shipping_line.candidates[0]?.scac} if that is right.`
      : "Ask which line carries it, find its SCAC with get_supported_shipping_lines, and call again with scac.";
  throw new ToolError({
    code: "carrier_unclear",
    message: `The shipping line of ${quotedValue(number)} is not clear. ${hint}`,
  });
}
