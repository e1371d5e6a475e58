import { type Client, NotFoundError } from "@svc/sdk";
import { readText } from "./view-parameters.ts";

const locodeShape = /^[A-Z]{2}[A-Z2-9]{3}$/;
const nameLengthMax = 60;

/** The parameter `port` of the URL of a list: text like a UN/LOCODE in upper case, or a name as typed. */
export function readPort(value: unknown): string {
  const input = readText(value, nameLengthMax).trim();
  const code = input.toUpperCase();
  return locodeShape.test(code) ? code : input;
}

/** Whether it may be a UN/LOCODE, by which the API filters. It may also be a name of five letters, such as Busan. */
export const isLocode = (port: string): boolean => locodeShape.test(port);

export interface NamedPort {
  readonly locode: string;
  readonly name: string;
}

/** A port of the directory with this UN/LOCODE, or else one whose name begins with the text; null: none. */
export async function findPort(api: Client, input: string): Promise<NamedPort | null> {
  const { items } = await api.ports.list({ search: input }, { format: "mapped" });
  const [code, start] = [input.toUpperCase(), input.toLowerCase()];
  const found =
    items.find((port) => port.code === code) ??
    items.find((port) => port.code !== null && port.name.toLowerCase().startsWith(start));
  return found?.code ? { locode: found.code, name: found.name } : null;
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
