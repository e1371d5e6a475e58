import type { Html } from "@svc/views";
import { layout } from "../pages/layout.ts";
import { type LivePage, type LivePageOptions, livePage } from "../pages/live-page.ts";
import { partsFrame } from "../pages/parts-layout.ts";

const frame = partsFrame("account", "Account", {
  Work: [
    ["alerts", "Alerts", "/account/alerts"],
    ["mail", "Mail", "/account/mail", ({ keepsMail = false }) => keepsMail],
    ["calendar", "Calendar", "/account/calendar"],
    ["views", "Saved views", "/account/views"],
    ["share-links", "Share links", "/account/share-links"],
    ["demurrage", "Demurrage rules", "/account/demurrage"],
    ["emissions", "Emission factors", "/account/emissions"],
    ["customers", "Customers", "/account/customers"],
    ["custom-fields", "Custom fields", "/account/custom-fields"],
  ],
  Company: [
    ["members", "Members", "/account/members"],
    ["sign-in-rules", "Sign-in rules", "/account/sign-in-rules", "manage_members"],
    ["audit", "Audit log", "/account/audit", "read_audit_log"],
  ],
  You: [
    ["display", "Display", "/account/display"],
    ["password", "Password", "/account/password"],
    ["two-factor", "Two-factor", "/account/two-factor"],
    ["sessions", "Sessions", "/account/sessions"],
    ["accounts", "Your accounts", "/account/accounts"],
  ],
});

type AccountPage = Parameters<typeof frame>[0];

/** Layout of the pages of the account and of the signed-in user. */
export const accountLayout = (page: AccountPage): Html => layout(frame(page));

/** Layout of a live page of the account. */
export const accountLivePage = (page: AccountPage & Pick<LivePageOptions, "isPending">): LivePage =>
  livePage({ ...frame(page), isPending: page.isPending ?? false });
