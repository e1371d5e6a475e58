import type { FunctionalGroup, Interchange, MessageOutcome } from "./messages.ts";

/**
 * The acknowledgement of each interchange: 997 in X12, CONTRL in EDIFACT. It states what was understood of the syntax
 * and content: a message with faults is accepted with errors in X12, and rejected in EDIFACT, which has nothing
 * between. Control numbers and times are those of the acknowledged interchange, so that it is the same each time.
 */
export function buildAcknowledgement(interchanges: readonly Interchange[]): string {
  return interchanges.map((one) => (one.syntax === "x12" ? functionalAcknowledgement(one) : contrl(one))).join("\n");
}

const padded = (text: string): string => text.slice(0, 15).padEnd(15);
/** Separators and line ends in a value would change the structure. */
const safe = (text: string): string => text.replace(/[*~>\r\n]/g, " ").trim();

function functionalAcknowledgement(interchange: Interchange): string {
  const { sender, senderQualifier, receiver, receiverQualifier, date, time, controlNumber } = interchange;
  const groups = interchange.groups.filter(({ code }) => code !== "");
  const day = date.length === 6 ? `20${date}` : date;
  const sets = groups.map((group, index) => acknowledgeGroup(group, String(index + 1).padStart(4, "0")));
  const control = safe(controlNumber).padStart(9, "0");
  const isa = [
    "ISA",
    "00",
    " ".repeat(10),
    "00",
    " ".repeat(10),
    safe(receiverQualifier).padEnd(2),
    padded(safe(receiver)),
    safe(senderQualifier).padEnd(2),
    padded(safe(sender)),
    day.slice(2),
    time.slice(0, 4),
    "U",
    "00401",
    control,
    "0",
    "P",
    ">",
  ].join("*");
  const gs = ["GS", "FA", safe(receiver), safe(sender), day, time.slice(0, 4), "1", "X", "004010"].join("*");
  return [isa, gs, ...sets.flat(), `GE*${sets.length}*1`, `IEA*1*${control}`].map((line) => `${line}~`).join("\n");
}

function acknowledgeGroup({ code, controlNumber, messages }: FunctionalGroup, reference: string): string[] {
  const sets = messages.flatMap((message) => [
    `AK2*${safe(message.kind)}*${safe(message.reference)}`,
    ...segmentErrors(message),
    // A accepted, E accepted with errors.
    message.faults.length === 0 ? "AK5*A" : "AK5*E",
  ]);
  const hasFaults = messages.some(({ faults }) => faults.length > 0);
  const count = messages.length;
  const result = `AK9*${hasFaults ? "E" : "A"}*${count}*${count}*${count}`;
  const lines = [`ST*997*${reference}`, `AK1*${safe(code)}*${safe(controlNumber)}`, ...sets, result];
  return [...lines, `SE*${lines.length + 1}*${reference}`];
}

const errorsMax = 99;

/** AK3: the segment with errors (8), and AK4 its element with an invalid value (7), by its position in the message. */
function segmentErrors({ faults, firstSegment }: MessageOutcome): string[] {
  return faults
    .slice(0, errorsMax)
    .flatMap(({ tag, segment, element }) => [
      `AK3*${safe(tag ?? "")}*${segment - firstSegment + 1}**8`,
      ...(element === null ? [] : [`AK4*${element}**7`]),
    ]);
}

/** Separators are released, and characters that UNOA lacks are left to the partner. */
const released = (text: string): string => text.replace(/[?+:']/g, "?$&").replace(/[\r\n]/g, " ");
const party = (id: string, qualifier: string): string =>
  qualifier === "" ? released(id) : `${released(id)}:${released(qualifier)}`;

function contrl(interchange: Interchange): string {
  const { sender, senderQualifier, receiver, receiverQualifier, date, time, controlNumber } = interchange;
  const from = party(receiver, receiverQualifier);
  const to = party(sender, senderQualifier);
  const number = released(controlNumber);
  // 7 acknowledged, 4 rejected.
  const messages = interchange.groups.flatMap((group) =>
    group.messages.map(({ kind, version, reference, faults }) => {
      const type = [kind, ...version.split(":")].map(released).join(":");
      return `UCM+${released(reference)}+${type}+${faults.length === 0 ? 7 : 4}`;
    }),
  );
  const body = ["UNH+1+CONTRL:D:3:UN", `UCI+${number}+${to}+${from}+7`, ...messages];
  return [
    `UNB+UNOA:3+${from}+${to}+${released(date)}:${released(time)}+${number}`,
    ...body,
    `UNT+${body.length + 1}+1`,
    `UNZ+1+${number}`,
  ]
    .map((line) => `${line}'`)
    .join("\n");
}
