import type { Fault } from "../tracking-error.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters.
const controlCharacter = /[\u0000-\u001f\u007f]/;

/** A query string whose parameters are taken one by one. Parameters not taken are unknown. Collects all faults. */
export class QueryText {
  readonly faults: Fault[] = [];
  /** Parameters as given, in order, for the links of the response. */
  readonly pairs: readonly (readonly [name: string, value: string])[];
  readonly #left: Map<string, string>;

  constructor(raw: string) {
    const pairs: [string, string][] = [];
    this.#left = new Map();
    for (const pair of raw.split("&")) {
      if (pair === "") continue;
      const equals = pair.indexOf("=");
      const [rawName, rawValue] = equals < 0 ? [pair, ""] : [pair.slice(0, equals), pair.slice(equals + 1)];
      const [name, value] = [decode(rawName), decode(rawValue)];
      if (name === null || value === null || controlCharacter.test(name) || controlCharacter.test(value)) {
        this.fault(rawName.slice(0, 200), "The query must be percent-encoded UTF-8 without control characters.");
      } else if (this.#left.has(name)) {
        this.fault(name, `${name} is given more than once.`);
      } else {
        pairs.push([name, value]);
        this.#left.set(name, value);
      }
    }
    this.pairs = pairs;
  }

  has(name: string): boolean {
    return this.#left.has(name);
  }

  take(name: string): string | undefined {
    const value = this.#left.get(name);
    this.#left.delete(name);
    return value;
  }

  /** Takes all remaining parameters with names of the form `family[member]`. */
  takeFamily(family: string): [name: string, member: string, value: string][] {
    return [...this.#left].flatMap(([name, value]): [string, string, string][] => {
      if (!name.startsWith(`${family}[`) || !name.endsWith("]")) return [];
      this.#left.delete(name);
      return [[name, name.slice(family.length + 1, -1), value]];
    });
  }

  get leftNames(): readonly string[] {
    return [...this.#left.keys()];
  }

  fault(parameter: string, detail: string, rest: Pick<Fault, "meta" | "type"> = {}): void {
    this.faults.push({ code: "invalid_parameter", detail, source: { parameter }, ...rest });
  }
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null;
  }
}
