import type { MemberAction } from "@svc/domain/members";
import { type Caller, may } from "../access/callers.ts";

/** A page or an action that the search finds by its words. */
export interface Destination {
  readonly label: string;
  readonly path: string;
  /** Other words for it. */
  readonly also?: string;
  /** Found only by members who may do this. Default: by everybody. */
  readonly action?: MemberAction;
}

export const destinations: readonly Destination[] = [
  { label: "Track a number", path: "/track", also: "new add create container bill of lading booking", action: "track" },
  { label: "Track many numbers", path: "/track/bulk", also: "new add paste list", action: "track" },
  { label: "Import events from a file", path: "/track/import", also: "csv json upload", action: "track" },
  { label: "Send an EDI file", path: "/track/edi", also: "x12 edifact 315 iftsta upload", action: "exchange_edi" },
  { label: "Attention", path: "/attention", also: "home exceptions demurrage holds late today" },
  { label: "Shipments", path: "/shipments", also: "list bills of lading bookings" },
  { label: "Containers", path: "/containers", also: "list boxes" },
  { label: "Map", path: "/map", also: "where positions vessels world" },
  { label: "Containers by last free day", path: "/containers?view=last_free_day", also: "lfd demurrage" },
  { label: "Containers on hold", path: "/containers?view=holds", also: "customs freight" },
  { label: "Containers available for pickup", path: "/containers?view=available" },
  { label: "Late containers", path: "/containers?view=late", also: "delay eta" },
  { label: "Tracking requests", path: "/tracking-requests", also: "failed pending" },
  { label: "Carriers", path: "/carriers", also: "shipping lines connect credentials scac" },
  { label: "Connect a carrier", path: "/carriers#available", also: "line credentials", action: "connect_carriers" },
  { label: "Developers", path: "/developers", also: "api overview health" },
  { label: "API tokens", path: "/developers/tokens", also: "keys authentication" },
  { label: "Create an API token", path: "/developers/tokens/new", also: "new key", action: "manage_tokens" },
  { label: "Webhooks", path: "/developers/webhooks", also: "endpoints" },
  { label: "Create a webhook", path: "/developers/webhooks/new", also: "new endpoint", action: "manage_webhooks" },
  { label: "Notifications", path: "/developers/notifications", also: "deliveries attempts resend" },
  { label: "Webhook events", path: "/developers/events", also: "catalogue samples" },
  { label: "Inbox", path: "/developers/inbox", also: "test endpoint" },
  { label: "MCP", path: "/developers/mcp", also: "ai clients claude" },
  { label: "Members", path: "/account/members", also: "users invite team" },
  { label: "Alerts", path: "/account/alerts", also: "email e-mail slack teams digest" },
  { label: "Audit log", path: "/account/audit", also: "changes history who", action: "read_audit_log" },
  { label: "Saved views", path: "/account/views", also: "filters columns default lists" },
  { label: "Demurrage rules", path: "/account/demurrage", also: "detention per diem free days tariff tiers" },
  {
    label: "Create a demurrage rule",
    path: "/account/demurrage/new",
    also: "new detention per diem tariff",
    action: "edit_records",
  },
  { label: "Emission factors", path: "/account/emissions", also: "co2 co2e carbon ghg iso 14083 glec footprint" },
  {
    label: "Import emission factors",
    path: "/account/emissions/import",
    also: "co2 carbon csv upload",
    action: "edit_records",
  },
  { label: "Calendar", path: "/account/calendar", also: "ical ics feed google outlook apple subscribe arrivals" },
  { label: "Share links", path: "/account/share-links", also: "public customers" },
  { label: "Display", path: "/account/display", also: "date format 24 12 hours clock units weights kg lb preferences" },
  { label: "Sessions", path: "/account/sessions", also: "sign out" },
  { label: "Password", path: "/account/password", also: "change" },
  { label: "Time zone of times", path: "/times", also: "utc local" },
  { label: "Service status", path: "/status", also: "health" },
];

const destinationsMax = 8;

/**
 * Pages and actions with every typed word at the start of one of their words; all of them without a text. Only those
 * that the member may use.
 */
export function destinationsFor(caller: Caller, text: string): readonly Destination[] {
  const usable = destinations.filter(({ action = "read" }) => may(caller, action));
  const searchTerms = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (searchTerms.length === 0) return usable;
  const fits = ({ label, also = "" }: Destination): boolean => {
    const own = `${label} ${also}`.toLowerCase().split(/\s+/);
    return searchTerms.every((part) => own.some((word) => word.startsWith(part)));
  };
  return usable.filter(fits).slice(0, destinationsMax);
}
