import type { EdiFileResult } from "@svc/domain/edi-files";
import { type EdiEvent, type EdiReading, findPartnerProfile, readEdi, UnreadableFile } from "@svc/edi";
import { findEdiFile, finishEdiFile } from "@svc/persistence/edi-files";
import type { ClaimedMessage } from "@svc/persistence/event-messages";
import type { TrackingContext } from "../apply/poll-transaction.ts";

/** An EDI file as it was read. */
export interface ReadEdiFile {
  /** Null: nothing of it may be applied. */
  readonly reading: EdiReading | null;
  readonly result: EdiFileResult;
  /** Events, each with the carrier of the file where its message names none. */
  readonly events: readonly (EdiEvent & { readonly scac: string })[];
}

const nothing: EdiFileResult = {
  syntax: null,
  messages: 0,
  statuses: 0,
  events: 0,
  applied: 0,
  untracked: 0,
  withoutCarrier: 0,
  newFacts: 0,
  noteCount: 0,
  notes: [],
  unmapped: [],
  faultCount: 1,
  faults: [],
  acknowledgement: null,
};

/** The result of a file of which nothing may be applied. */
export function rejectedEdi({ fault }: UnreadableFile): EdiFileResult {
  return { ...nothing, faults: [fault] };
}

/** Reads the file of a message with the profile of its partner. */
export async function readEdiFile(
  context: TrackingContext,
  { accountId, id }: ClaimedMessage,
  body: Uint8Array,
  pause: () => Promise<void>,
): Promise<ReadEdiFile> {
  const file = await findEdiFile(context.database.sql, accountId, id);
  const profile = findPartnerProfile(file?.partner ?? "standard");
  try {
    if (profile === null) {
      const detail = `There is no partner profile ${file?.partner}. Send the file again with another.`;
      throw new UnreadableFile({ line: 1, segment: 0, detail });
    }
    const reading = await readEdi(body, { profile, timeZoneOf: context.places.timeZoneOf }, pause);
    const events = reading.events.flatMap((event) => {
      const scac = event.scac ?? file?.scac ?? null;
      return scac === null ? [] : [{ ...event, scac }];
    });
    const { syntax, messages, statuses, noteCount, notes, unmapped, faultCount, faults, acknowledgement } = reading;
    const result: EdiFileResult = {
      ...nothing,
      syntax,
      messages,
      statuses,
      noteCount,
      notes,
      unmapped,
      faultCount,
      faults,
      acknowledgement,
      events: reading.events.length,
      withoutCarrier: reading.events.length - events.length,
    };
    return { reading, result, events };
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return { reading: null, result: rejectedEdi(error), events: [] };
  }
}

/** Records the outcome of a file; the event message is finished after it, so that neither is without the other. */
export async function finishEdi(
  context: TrackingContext,
  message: ClaimedMessage,
  { reading, result }: ReadEdiFile,
  counts: Pick<EdiFileResult, "applied" | "untracked" | "newFacts">,
): Promise<void> {
  const [first] = reading?.interchanges ?? [];
  await finishEdiFile(context.database.sql, message, {
    status: reading === null ? "rejected" : "applied",
    sender: first?.sender ?? null,
    controlNumber: first?.controlNumber ?? null,
    result: { ...result, ...counts },
  });
}
