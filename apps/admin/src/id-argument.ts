import { InvalidArgumentError } from "commander";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function parseId(text: string): string {
  if (!uuid.test(text)) throw new InvalidArgumentError("Give an id, as `list` shows it.");
  return text.toLowerCase();
}
