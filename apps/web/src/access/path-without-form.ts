/** Pages of forms whose path begins otherwise. */
const otherPages: Readonly<Record<string, string>> = {
  "/account/invitations": "/account/members",
  "/oauth": "/developers/mcp",
  "/theme": "/shipments",
  "/views": "/account/views",
};

/** The page with the records that a form changes, by the form's path: a link can lead there, but not to the form. */
export function pathWithoutForm(path: string): string {
  const [, section = "", part = ""] = path.split("/");
  const hasParts = section === "account" || section === "developers";
  const page = hasParts ? `/${section}/${part}` : `/${section}`;
  return otherPages[page] ?? page;
}
