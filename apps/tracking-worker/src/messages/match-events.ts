import { numberForms } from "@svc/domain/identifiers";
import { type CarrierNumber, findSubjectsByNumber, type NumberSubject } from "@svc/persistence/event-messages";
import type { MessageContext } from "./message-context.ts";
import type { ReadEvent } from "./read-message.ts";

/** An event as it is applied to one subject, with its index in the message. */
export interface SubjectEvent {
  readonly index: number;
  readonly event: ReadEvent;
}

/** The events of a message by the live subjects of their numbers; those of no live subject by their index. */
export interface MatchedEvents {
  readonly bySubject: ReadonlyMap<string, readonly SubjectEvent[]>;
  readonly inactive: ReadonlySet<number>;
  readonly unknown: ReadonlySet<number>;
}

/** An event with the numbers by which it concerns a subject. */
interface Match extends SubjectEvent {
  readonly numbers: ReadonlySet<string>;
}

const keyOf = ({ scac, number }: CarrierNumber): string => `${scac} ${number}`;

const formsOf = (text: string, scac: string): CarrierNumber[] =>
  numberForms(text, scac).map((number) => ({ scac, number }));

export async function matchEvents(
  { context }: MessageContext,
  accountId: string,
  events: readonly ReadEvent[],
): Promise<MatchedEvents> {
  const forms = events.flatMap(({ numbers, scac }) => numbers.flatMap((text) => formsOf(text, scac)));
  const distinct = new Map(forms.map((number) => [keyOf(number), number]));
  const found = await findSubjectsByNumber(context.database.sql, accountId, [...distinct.values()]);
  const subjectsByNumber = Map.groupBy(found, keyOf);
  const live: (Match & { readonly subjectId: string })[] = [];
  const inactive = new Set<number>();
  for (const [index, event] of events.entries()) {
    const matched = matchedNumbers(event, subjectsByNumber);
    const isOfLive = [...matched.values()].some(({ isLive }) => isLive);
    if (matched.size > 0 && !isOfLive) inactive.add(index);
    for (const [subjectId, { isLive, numbers }] of matched) if (isLive) live.push({ subjectId, index, event, numbers });
  }
  const bySubject = new Map<string, readonly SubjectEvent[]>();
  for (const [subjectId, matches] of Map.groupBy(live, (match) => match.subjectId)) {
    const own = ownEvents(matches);
    if (own.length > 0) bySubject.set(subjectId, own);
  }
  const known = new Set([...[...bySubject.values()].flatMap((own) => own.map(({ index }) => index)), ...inactive]);
  return { bySubject, inactive, unknown: new Set([...events.keys()].filter((index) => !known.has(index))) };
}

/** The subjects of an event, each with the numbers of the event that lead to it. */
function matchedNumbers(
  { numbers, scac }: ReadEvent,
  subjectsByNumber: ReadonlyMap<string, readonly NumberSubject[]>,
): ReadonlyMap<string, { readonly isLive: boolean; readonly numbers: Set<string> }> {
  const matched = new Map<string, { isLive: boolean; numbers: Set<string> }>();
  for (const text of numbers) {
    for (const { subjectId, isLive } of formsOf(text, scac).flatMap(
      (form) => subjectsByNumber.get(keyOf(form)) ?? [],
    )) {
      const known = matched.get(subjectId);
      if (known === undefined) matched.set(subjectId, { isLive, numbers: new Set([text]) });
      else known.numbers.add(text);
    }
  }
  return matched;
}

/**
 * The events of a subject. Of one that names containers of several shipments it has its own containers only: those by
 * which it was found, and those that other events of the message name with its document.
 */
function ownEvents(matches: readonly Match[]): readonly SubjectEvent[] {
  const containers = new Set(
    matches.flatMap((match) => {
      const named = match.event.drafts.flatMap(({ containerNumber }) => containerNumber ?? []);
      return isWhole(match) ? named : named.filter((container) => match.numbers.has(container));
    }),
  );
  return matches.flatMap((match) => {
    const { index, event } = match;
    if (event.ofContainers === undefined || isWhole(match)) return { index, event };
    const own = event.ofContainers(containers);
    return own === null ? [] : { index, event: { ...event, ...own } };
  });
}

/** Whether all containers of the event are those of the subject. */
function isWhole({ event, numbers }: Match): boolean {
  return event.ofContainers === undefined || (event.documents ?? []).some((document) => numbers.has(document));
}
