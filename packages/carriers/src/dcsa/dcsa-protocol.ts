import type { CarrierProtocol } from "../carrier-protocol.ts";
import { noticesOf, readArrivalNotices } from "./arrival-notice.ts";
import { concerns, DcsaCarrier } from "./dcsa-carrier.ts";
import { createEventReader, type DcsaDialect } from "./dcsa-dialect.ts";
import { readPushedEvents, yieldToEventLoop } from "./pushed-events.ts";

export function dcsaProtocol(dialect: DcsaDialect): CarrierProtocol {
  return {
    connect(connection, places) {
      const read = createEventReader(connection, dialect, places);
      const carrier = new DcsaCarrier({ connection, dialect, places });
      return {
        carrier,
        withCredentials: (credentials) => carrier.withCredentials(credentials),
        readPush: (body, pause = yieldToEventLoop) =>
          readPushedEvents(body, connection.profile.eventsMember, read, dialect.toVersion2, pause),
      };
    },
    storedReplyReader(connection, places) {
      const member = connection.profile.eventsMember;
      const read = createEventReader(connection, dialect, places);
      return (query, body) => {
        if (query.kind === "terminal_container") {
          const notices = noticesOf(body);
          return notices === null ? null : readArrivalNotices(notices, places);
        }
        // Several pages are stored as an array of their documents (`ReceivedReply.body`).
        const events = dialect.readEvents(body, member)?.flatMap((page) => eventsOf(page, member));
        if (events === undefined) return null;
        const readings = events.map(read);
        const drafts = readings.flatMap((drafts) => drafts ?? []).filter(concerns(query));
        return { drafts, skipped: readings.filter((drafts) => drafts === null).length };
      };
    },
  };
}

function eventsOf(page: unknown, member: string): readonly unknown[] {
  if (Array.isArray(page)) return page;
  const wrapped = (page as Record<string, unknown> | null)?.[member];
  return Array.isArray(wrapped) ? wrapped : [page];
}
