import { jsonApiChecklist } from "./json-api-checklist.ts";
import { practiceChecklist } from "./practice-checklist.ts";
import type { Requirement } from "./requirement.ts";
import { requirements } from "./requirements.ts";

/** Checklist that the HTTP API was built by. */
export const checklist = [...jsonApiChecklist, ...practiceChecklist];

/** All that a test can cite. */
export const ledger: readonly Requirement[] = [...requirements, ...checklist];
