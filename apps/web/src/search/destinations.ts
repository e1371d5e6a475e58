import type { MemberAction } from "@svc/domain/members";
import { type Caller, may } from "../access/callers.ts";

/** A page or an action that the search finds by its words. */
export interface Destination {
  readonly words: string;
  readonly path: string;
  /** Other words for it. */
  readonly also?: string;
  /** Found only by members who may do this. Default: by everybody. */
  readonly action?: MemberAction;
}

export const destinations: readonly Destination[] = [
  { words: "Track a number", path: "/track", also: "new add create container bill of lading booking", action: "track" },
  { words: "Track many numbers", path: "/track/bulk", also: "new add paste list", action: "track" },
  { words: "Import events from a file", path: "/track/import", also: "csv json upload", action: "track" },
  { words: "Send an EDI file", path: "/track/edi", also: "x12 edifact 315 iftsta upload", action: "exchange_edi" },
  { words: "Attention", path: "/attention", also: "home exceptions demurrage holds late today" },
  { words: "Shipments", path: "/shipments", also: "list bills of lading bookings" },
  { words: "Containers", path: "/containers", also: "list boxes" },
  { words: "Map", path: "/map", also: "where positions vessels world" },
  { words: "Containers by last free day", path: "/containers?view=last_free_day", also: "lfd demurrage" },
  { words: "Containers on hold", path: "/containers?view=holds", also: "customs freight" },
  { words: "Containers available for pickup", path: "/containers?view=available" },
  { words: "Late containers", path: "/containers?view=late", also: "delay eta" },
  { words: "Tracking requests", path: "/tracking-requests", also: "failed pending" },
  { words: "Carriers", path: "/carriers", also: "shipping lines connect credentials scac" },
  { words: "Connect a carrier", path: "/carriers/connect", also: "line credentials", action: "connect_carriers" },
  { words: "Developers", path: "/developers", also: "api overview health" },
  { words: "API tokens", path: "/developers/tokens", also: "keys authentication" },
  { words: "Create an API token", path: "/developers/tokens/new", also: "new key", action: "manage_tokens" },
  { words: "Webhooks", path: "/developers/webhooks", also: "endpoints" },
  { words: "Create a webhook", path: "/developers/webhooks/new", also: "new endpoint", action: "manage_webhooks" },
  { words: "Notifications", path: "/developers/notifications", also: "deliveries attempts resend" },
  { words: "Webhook events", path: "/developers/events", also: "catalogue samples" },
  { words: "Inbox", path: "/developers/inbox", also: "test endpoint" },
  { words: "MCP", path: "/developers/mcp", also: "ai clients claude" },
  { words: "Members", path: "/account/members", also: "users invite team" },
  { words: "Alerts", path: "/account/alerts", also: "email e-mail slack teams digest" },
  { words: "Audit log", path: "/account/audit", also: "changes history who", action: "read_audit_log" },
  { words: "Saved views", path: "/account/views", also: "filters columns default lists" },
  { words: "Demurrage rules", path: "/account/demurrage", also: "detention per diem free days tariff tiers" },
  {
    words: "Create a demurrage rule",
    path: "/account/demurrage/new",
    also: "new detention per diem tariff",
    action: "edit_records",
  },
  { words: "Emission factors", path: "/account/emissions", also: "co2 co2e carbon ghg iso 14083 glec footprint" },
  {
    words: "Import emission factors",
    path: "/account/emissions/import",
    also: "co2 carbon csv upload",
    action: "edit_records",
  },
  { words: "Calendar", path: "/account/calendar", also: "ical ics feed google outlook apple subscribe arrivals" },
  { words: "Share links", path: "/account/share-links", also: "public customers" },
  { words: "Display", path: "/account/display", also: "date format 24 12 hours clock units weights kg lb preferences" },
  { words: "Sessions", path: "/account/sessions", also: "sign out" },
  { words: "Password", path: "/account/password", also: "change" },
  { words: "Time zone of times", path: "/times", also: "utc local" },
  { words: "Service status", path: "/status", also: "health" },
];

const destinationsMax = 8;

/**
 * Pages and actions with every typed word at the start of one of their words; all of them without a text. Only those
 * that the member may use.
 */
export function destinationsFor(caller: Caller, text: string): readonly Destination[] {
  const usable = destinations.filter(({ action = "read" }) => may(caller, action));
  const typed = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (typed.length === 0) return usable;
  const fits = ({ words, also = "" }: Destination): boolean => {
    const own = `${words} ${also}`.toLowerCase().split(/\s+/);
    return typed.every((part) => own.some((word) => word.startsWith(part)));
  };
  return usable.filter(fits).slice(0, destinationsMax);
}
