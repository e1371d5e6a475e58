/** Why a body is not read as JSON; the text is public. */
export class InvalidJsonError extends Error {}

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * JSON as a service should read it: valid UTF-8, and no name twice in an object, since what the second one means
 * differs from reader to reader. Throws InvalidJsonError.
 */
export function parseStrictJson(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw new InvalidJsonError("The body is not valid UTF-8.");
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new InvalidJsonError("The body is not valid JSON.");
  }
  const repeated = findRepeatedName(text);
  if (repeated !== null)
    throw new InvalidJsonError(`The name ${JSON.stringify(repeated.slice(0, 100))} is given twice.`);
  return value;
}

/** The first name that an object of the (valid) JSON text has twice. */
function findRepeatedName(text: string): string | null {
  const open: (Set<string> | null)[] = [];
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === "{") open.push(new Set());
    else if (character === "[") open.push(null);
    else if (character === "}" || character === "]") open.pop();
    else if (character === '"') {
      const end = findStringEnd(text, index);
      const names = open.at(-1);
      if (names && followedByColon(text, end)) {
        const name = JSON.parse(text.slice(index, end)) as string;
        if (names.has(name)) return name;
        names.add(name);
      }
      index = end - 1;
    }
  }
  return null;
}

function findStringEnd(text: string, start: number): number {
  let index = start + 1;
  while (text[index] !== '"') index += text[index] === "\\" ? 2 : 1;
  return index + 1;
}

function followedByColon(text: string, from: number): boolean {
  let index = from;
  while (" \n\r\t".includes(text[index] ?? ".")) index++;
  return text[index] === ":";
}
