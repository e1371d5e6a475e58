import type { Client } from "@svc/sdk";
import { readText } from "./view-parameters.ts";

const locodeShape = /^[A-Z]{2}[A-Z2-9]{3}$/;
const longestName = 60;

/** The parameter `port` of the URL of a list: a UN/LOCODE in upper case, or a name as typed. */
export function readPort(value: unknown): string {
  const typed = readText(value, longestName).trim();
  const code = typed.toUpperCase();
  return locodeShape.test(code) ? code : typed;
}

/** Whether it is a UN/LOCODE, by which the API filters. */
export const isLocode = (port: string): boolean => locodeShape.test(port);

/** A port of the directory whose name begins with the text; null: none. */
export async function findPort(api: Client, typed: string): Promise<{ locode: string; name: string } | null> {
  const { items } = await api.ports.list({ search: typed }, { format: "mapped" });
  const start = typed.toLowerCase();
  const named = items.find(({ name, code }) => code !== null && name.toLowerCase().startsWith(start));
  return named?.code ? { locode: named.code, name: named.name } : null;
}
