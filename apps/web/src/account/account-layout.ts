import { partsLayout } from "../pages/parts-layout.ts";

/** The frame of the pages of the account and of who is logged in. */
export const accountLayout = partsLayout("account", "Account", [
  ["people", "People", "/account/people"],
  ["sessions", "Sessions", "/account/sessions"],
  ["password", "Password", "/account/password"],
]);
