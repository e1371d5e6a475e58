import { partsLayout } from "../pages/parts-layout.ts";

/** Layout of the pages of the account and of the signed-in user. */
export const accountLayout = partsLayout("account", "Account", [
  ["members", "Members", "/account/members"],
  ["share-links", "Share links", "/account/share-links"],
  ["sessions", "Sessions", "/account/sessions"],
  ["password", "Password", "/account/password"],
]);
