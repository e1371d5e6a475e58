import { isLocode } from "@svc/domain/identifiers";
import { type Client, NotFoundError } from "@svc/sdk";
import { readText } from "./view-parameters.ts";

const nameLengthMax = 60;

/** The parameter `port` of the URL of a list: text like a UN/LOCODE in upper case, or a name as typed. */
export function readPort(value: unknown): string {
  const input = readText(value, nameLengthMax).trim();
  const code = input.toUpperCase();
  return isLocode(code) ? code : input;
}

export interface NamedPort {
  readonly locode: string;
  readonly name: string;
}

/** The API finds at most this number of ports. */
const foundMax = 10;

/**
 * The port of the directory with this UN/LOCODE or name, and those whose names begin with the text: all of them, or
 * some (not `isWhole`).
 */
async function searchPorts(api: Client, input: string) {
  const { items } = await api.ports.list({ search: input }, { format: "mapped" });
  const [code, start] = [input.toUpperCase(), input.toLowerCase()];
  const ports = items.flatMap(({ code: locode, name }): NamedPort[] => (locode === null ? [] : [{ locode, name }]));
  const beginning = ports.filter(({ name }) => name.toLowerCase().startsWith(start));
  const exact =
    ports.find(({ locode }) => locode === code) ?? beginning.find(({ name }) => name.toLowerCase() === start);
  return { exact, beginning, isWhole: items.length < foundMax };
}

/** A port of the directory with this UN/LOCODE or name, or else one whose name begins with the text; null: none. */
export async function findPort(api: Client, input: string): Promise<NamedPort | null> {
  const { exact, beginning } = await searchPorts(api, input);
  return exact ?? beginning[0] ?? null;
}

/** As `findPort`, but of the names that begin with the text, only one that is certainly the only one. */
export async function findOnlyPort(api: Client, input: string): Promise<NamedPort | null> {
  const { exact, beginning, isWhole } = await searchPorts(api, input);
  const [first, ...others] = beginning;
  return exact ?? (isWhole && others.length === 0 ? (first ?? null) : null);
}

async function exists(read: Promise<unknown>): Promise<boolean> {
  try {
    await read;
    return true;
  } catch (error) {
    if (error instanceof NotFoundError) return false;
    throw error;
  }
}

/** The directory lists no inland places, nor ports that only carriers reported. */
async function findPlace(api: Client, port: string): Promise<NamedPort | null> {
  const named = await findPort(api, port);
  if (named !== null || !isLocode(port)) return named;
  const isKnown = (await exists(api.ports.get(port))) || (await exists(api.metroAreas.get(port)));
  return isKnown ? { locode: port, name: port } : null;
}

export interface PortCheck {
  /** The UN/LOCODE to filter by instead of the text. */
  readonly otherLocode: string | null;
  /** No port or place has the text as its name or UN/LOCODE. */
  readonly isUnknown: boolean;
}

/**
 * Finds what the filter by port of a list means. Text like a UN/LOCODE is one where records have it; only in an empty
 * list (`isEmpty`) it is looked up, as it may be a name.
 */
export async function checkPort(api: Client, port: string, isEmpty: boolean): Promise<PortCheck> {
  if (port === "" || (isLocode(port) && !isEmpty)) return { otherLocode: null, isUnknown: false };
  const found = await findPlace(api, port);
  return { otherLocode: found && found.locode !== port ? found.locode : null, isUnknown: found === null };
}
