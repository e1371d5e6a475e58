/** Codes of X12 element 623 and EDIFACT format 303 that are not local time. */
const universal = new Set(["UT", "GM", "UTC", "GMT", "Z"]);

function isoText(date: string, time: string, offset: string): string | null {
  const day = /^(\d{2}|\d{4})(\d{2})(\d{2})$/.exec(date);
  if (day === null) return null;
  const [, year = "", month, dayOfMonth] = day;
  const text = `${year.length === 2 ? `20${year}` : year}-${month}-${dayOfMonth}`;
  if (time === "") return text;
  const clock = /^(\d{2})(\d{2})(\d{2})?\d{0,2}$/.exec(time);
  return clock === null ? null : `${text}T${clock[1]}:${clock[2]}:${clock[3] ?? "00"}${offset}`;
}

/**
 * An X12 date (CCYYMMDD or YYMMDD) and time (HHMM, HHMMSS) as ISO 8601: without offset, as local time, unless the time
 * code is UTC. Null when it is none.
 */
export function x12Time(date: string, time: string, timeCode = ""): string | null {
  return isoText(date, time, universal.has(timeCode) ? "Z" : "");
}

/** The value of a DTM segment in its format (UN/EDIFACT 2379) as ISO 8601; null: no time, or another format. */
export function edifactTime(text: string, format: string): string | null {
  switch (format) {
    case "101":
      return text.length === 6 ? isoText(text, "", "") : null;
    case "102":
      return text.length === 8 ? isoText(text, "", "") : null;
    case "201":
      return text.length === 10 ? isoText(text.slice(0, 6), text.slice(6), "") : null;
    case "203":
      return text.length === 12 ? isoText(text.slice(0, 8), text.slice(8), "") : null;
    case "204":
      return text.length === 14 ? isoText(text.slice(0, 8), text.slice(8), "") : null;
    case "205": {
      const offset = /^\d{12}([+-])(\d{2})(\d{2})$/.exec(text);
      return offset && isoText(text.slice(0, 8), text.slice(8, 12), `${offset[1]}${offset[2]}:${offset[3]}`);
    }
    case "303":
      return isoText(text.slice(0, 8), text.slice(8, 12), universal.has(text.slice(12)) ? "Z" : "");
    default:
      return null;
  }
}
