/** Canals and straits of the lane graph that a route can avoid. */
export const passages = [
  "bab_el_mandeb",
  "bosphorus",
  "dardanelles",
  "gibraltar",
  "hormuz",
  "kiel",
  "lombok",
  "magellan",
  "malacca",
  "messina",
  "oresund",
  "panama",
  "san_bernardino",
  "suez",
  "sunda",
  "torres",
] as const;

export type Passage = (typeof passages)[number];
