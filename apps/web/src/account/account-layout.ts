import type { Caller } from "../access/callers.ts";
import type { Html } from "../http/html.ts";
import { partsLayout } from "../pages/parts-layout.ts";

const parts = [
  ["people", "People", "/account/people"],
  ["sessions", "Sessions", "/account/sessions"],
  ["password", "Password", "/account/password"],
] as const;

/** The frame of the pages of the account and of who is logged in. */
export function accountLayout(options: {
  readonly title: string;
  readonly caller: Caller;
  readonly part: (typeof parts)[number][0];
  readonly content: Html;
  readonly notice?: string | undefined;
}): Html {
  return partsLayout({ ...options, section: "account", label: "Account", parts });
}
