import { invalidParams } from "../protocol/protocol-error.ts";
import { arrivalsThisWeek, customerStatusMail, demurrageRisk } from "./account-prompts.ts";
import { analyzeDelays } from "./analyze-delays.ts";
import { checkDemurrage } from "./check-demurrage.ts";
import type { Prompt } from "./define-prompt.ts";
import { trackShipment } from "./track-shipment.ts";

/** Prompts of docs/contract/specification.md, then those about the whole account. */
export const prompts: readonly Prompt[] = [
  trackShipment,
  checkDemurrage,
  analyzeDelays,
  arrivalsThisWeek,
  demurrageRisk,
  customerStatusMail,
];

/** Throws ProtocolError that names those there are. */
export function promptNamed(name: string): Prompt {
  const prompt = prompts.find((candidate) => candidate.description.name === name);
  if (prompt) return prompt;
  const available = prompts.map((candidate) => candidate.description.name);
  throw invalidParams(`Unknown prompt: ${name.slice(0, 64)}`, { available });
}
