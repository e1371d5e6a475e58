import { countText } from "@svc/domain";
import type { ShareLinkResource } from "@svc/sdk";
import { type Html, html } from "@svc/views";
import { exactTimestamp, relativeTimestamp } from "../pages/timestamps.ts";

type Attributes = ShareLinkResource["attributes"];

export function contentText({ shows_references: references, shows_fees: fees }: Attributes): string {
  const more = [references && "references", fees && "charges"].filter((part) => part);
  return more.length === 0 ? "Progress only" : `Progress, ${more.join(" and ")}`;
}

/** "Never", or when the link stops or stopped working. */
export const expiryText = ({ expires_at: expiresAt }: Attributes): Html | string =>
  expiresAt === null ? "Never" : exactTimestamp(expiresAt);

export const viewsText = ({ opened_count: count, last_opened_at: lastAt }: Attributes): Html | string =>
  lastAt === null ? "Not opened yet" : html`${countText(count, "view")}, last ${relativeTimestamp(lastAt)}`;

/** "Created 3 hours ago by ann@example.com". */
export const creationText = ({ created_at: createdAt, created_by: email }: Attributes): Html =>
  html`${relativeTimestamp(createdAt)}${email !== null && html` by ${email}`}`;

export const statusLabels: Readonly<Record<Attributes["status"], string>> = {
  active: "Active",
  expired: "Expired",
  revoked: "Revoked",
};
