import type { Requirement } from "./requirement.ts";

/** One item of the checklist that the HTTP API was built by. */
export interface ChecklistItem extends Requirement {
  /** Sentence on what the service does about it. */
  readonly answer: string;
}

type Row =
  | readonly [asked: string, answer: string]
  /** Proven by a file that holds no test that cites: a benchmark, a check. From the root of the repository. */
  | readonly [asked: string, answer: string, proof: { readonly elsewhere: string } | { readonly notYet: string }];

/** The items of one section; each id is the letter and the row's number. */
export function items(section: string, rows: Readonly<Record<string, Row>>): readonly ChecklistItem[] {
  return Object.entries(rows).map(([id, [behaviour, answer, proof]]) => ({
    id,
    section,
    behaviour,
    answer,
    ...proof,
  }));
}
