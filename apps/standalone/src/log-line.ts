const nameWidth = 16;

const levelColours: Readonly<Record<string, number>> = { fatal: 31, error: 31, warn: 33 };

/** Fields that every line has and the rendered line already shows. */
const standardFields = new Set(["level", "time", "service", "msg", "pid", "hostname"]);

function parseRecord(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    const record = JSON.parse(line) as Record<string, unknown>;
    return typeof record.time === "string" ? record : undefined;
  } catch {
    return undefined;
  }
}

const toText = (value: unknown): string => (typeof value === "string" ? value : "");

function renderValue(value: unknown): string {
  if (typeof value === "string") return /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
  const message = (value as { message?: unknown } | null)?.message;
  return typeof message === "string" ? JSON.stringify(message) : JSON.stringify(value);
}

/**
 * One line of the shared log: `api   12:00:01 info  request.completed status=200`, made of the JSON that the services
 * write. What is not JSON is shown as it is.
 */
export function renderLogLine(service: string, line: string, options: { readonly colour: boolean }): string {
  const name = service.padEnd(nameWidth);
  const record = parseRecord(line);
  if (!record) return `${name} ${line}`;
  const level = toText(record.level);
  const colour = options.colour ? levelColours[level] : undefined;
  const formattedLevel = colour ? `\u001b[${colour}m${level.padEnd(5)}\u001b[0m` : level.padEnd(5);
  const time = new Date(toText(record.time)).toTimeString().slice(0, 8);
  const fields = Object.entries(record)
    .filter(([field]) => !standardFields.has(field))
    .map(([field, value]) => ` ${field}=${renderValue(value)}`);
  return `${name} ${time} ${formattedLevel} ${toText(record.msg)}${fields.join("")}`;
}
