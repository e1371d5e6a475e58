import {
  containerCheckDigit,
  isValidContainerNumber,
  looksLikeContainerNumber,
  normalizeContainerNumber,
} from "@svc/domain/identifiers";
import { quotedValue } from "../../text/clean-text.ts";

/** Returns the problem of a typed container number; undefined: it is valid, or is another kind of number. */
export function checkDigitProblem(input: string): string | undefined {
  const number = normalizeContainerNumber(input);
  if (!looksLikeContainerNumber(number) || isValidContainerNumber(number)) return undefined;
  const digit = containerCheckDigit(number.slice(0, 10));
  return `The check digit of ${number} is wrong: ${number.slice(0, 10)} ends in ${digit}. Check the number for a typing error.`;
}

/** Whether the text could be a number: no words, at least four letters and digits, and a digit among them. */
export function canBeTracked(input: string): boolean {
  const compact = normalizeContainerNumber(input);
  return /^[A-Z0-9]{6,35}$/.test(compact) && (/\d{3}/.test(compact) || compact.startsWith("TESTTR"));
}

/** The next step when nothing is tracked under what was typed. `port`: the UN/LOCODE of a port that it names. */
export function adviceFor(input: string, port = "<UN/LOCODE>"): string {
  const problem = checkDigitProblem(input);
  if (problem) return `${problem} Call search_container again with the right number.`;
  if (canBeTracked(input)) return `To start tracking it call track_container(number=${quotedValue(input)}).`;
  const what = quotedValue(input);
  return (
    `${what} is not a container, bill of lading or booking number. For a customer call list_containers(customer=${what}), ` +
    `for a port list_containers(port=${port}), for a vessel list_containers(vessel=<name>).`
  );
}
