/** One line or table row of the interface specification. */
export interface Requirement {
  /** Cited by tests in their titles, as `[spec: events.3]`. */
  readonly id: string;
  /** Heading of the specification that it stands under. */
  readonly section: string;
  /** Sentence on what the service does, or what a reader can rely on. */
  readonly behaviour: string;
  /**
   * Why no test proves it yet. A requirement with a reason must not be cited, so that the reason goes once it is wrong.
   */
  readonly notYet?: string;
  /** The file that proves it where no test can: a benchmark or a check, from the root of the repository. */
  readonly elsewhere?: string;
}

type Rows = Readonly<Record<string, string | { readonly behaviour: string; readonly notYet: string }>>;

/** The requirements of one section; each id is the prefix and the row's name. */
export function section(heading: string, prefix: string, rows: Rows): readonly Requirement[] {
  return Object.entries(rows).map(([name, row]) => ({
    id: `${prefix}.${name}`,
    section: heading,
    ...(typeof row === "string" ? { behaviour: row } : row),
  }));
}
