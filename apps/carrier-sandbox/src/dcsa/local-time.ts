const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
    formatters.set(timeZone, formatter);
  }
  return formatter;
}

/** The offset of a zone at a time, for example `+08:00`. */
function offsetOf(epochMs: number, timeZone: string): string {
  const name = formatterOf(timeZone)
    .formatToParts(epochMs)
    .find((part) => part.type === "timeZoneName");
  const offset = name?.value.replace("GMT", "") ?? "";
  return offset === "" ? "+00:00" : offset;
}

/** Local time with its offset, to the minute, as in DCSA's eventDateTime: `2026-03-05T17:45:00+08:00`. */
export function localDateTime(epochMs: number, timeZone: string): string {
  const minuteMs = Math.floor(epochMs / 60_000) * 60_000;
  const offset = offsetOf(minuteMs, timeZone);
  const sign = offset.startsWith("-") ? -1 : 1;
  const aheadMs = sign * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4, 6))) * 60_000;
  return `${new Date(minuteMs + aheadMs).toISOString().slice(0, 19)}${offset}`;
}
