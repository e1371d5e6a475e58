import { isUuid } from "@svc/domain/identifiers";
import { InvalidArgumentError } from "commander";

export function parseId(text: string): string {
  if (!isUuid(text)) throw new InvalidArgumentError("Give an id, as `list` shows it.");
  return text.toLowerCase();
}
