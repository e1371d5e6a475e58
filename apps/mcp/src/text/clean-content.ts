import { cleanText } from "./clean-text.ts";

const wholeSecond = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})\.000Z$/;

function saysNothing(value: unknown): boolean {
  return value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}

function cleaned(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value.replace(wholeSecond, "$1Z"));
  if (Array.isArray(value)) return value.map(cleaned).filter((item) => !saysNothing(item));
  return typeof value === "object" && value !== null ? cleanedMembers(value) : value;
}

function cleanedMembers(value: object): Record<string, unknown> {
  const members = Object.entries(value).map(([name, member]) => [name, cleaned(member)] as const);
  return Object.fromEntries(members.filter(([, member]) => !saysNothing(member)));
}

/**
 * A result as it leaves: every text cleaned, and nothing that says nothing (null, empty texts and lists), because a model
 * pays for each. A list at the top stays also when it is empty: it is the answer.
 */
export function cleanContent(content: object): Record<string, unknown> {
  const lists = Object.entries(content).filter(([, value]) => Array.isArray(value) && value.length === 0);
  return { ...cleanedMembers(content), ...Object.fromEntries(lists) };
}
