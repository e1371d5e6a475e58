import type { Html } from "@svc/views";
import { layout } from "../pages/layout.ts";
import { type LivePage, type LivePageOptions, livePage } from "../pages/live-page.ts";
import { partsFrame } from "../pages/parts-layout.ts";

const frame = partsFrame("account", "Account", [
  ["alerts", "Alerts", "/account/alerts"],
  ["demurrage", "Demurrage rules", "/account/demurrage"],
  ["emissions", "Emission factors", "/account/emissions"],
  ["members", "Members", "/account/members"],
  ["sign-in-rules", "Sign-in rules", "/account/sign-in-rules", "manage_members"],
  ["audit", "Audit log", "/account/audit", "read_audit_log"],
  ["views", "Saved views", "/account/views"],
  ["calendar", "Calendar", "/account/calendar"],
  ["share-links", "Share links", "/account/share-links"],
  ["accounts", "Your accounts", "/account/accounts"],
  ["display", "Display", "/account/display"],
  ["sessions", "Sessions", "/account/sessions"],
  ["two-factor", "Two-factor", "/account/two-factor"],
  ["password", "Password", "/account/password"],
]);

type AccountPage = Parameters<typeof frame>[0];

/** Layout of the pages of the account and of the signed-in user. */
export const accountLayout = (page: AccountPage): Html => layout(frame(page));

/** The same layout for a live page. */
export const accountLivePage = (page: AccountPage & Pick<LivePageOptions, "isPending">): LivePage =>
  livePage({ ...frame(page), isPending: page.isPending ?? false });
