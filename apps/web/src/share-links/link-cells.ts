import type { ShareLinkResource } from "@svc/sdk";
import { type Html, html } from "@svc/views";
import { exactMoment, moment } from "../pages/moment.ts";

type Attributes = ShareLinkResource["attributes"];

export function contentText({ shows_references: references, shows_fees: fees }: Attributes): string {
  const more = [references && "references", fees && "fees"].filter((label) => label);
  return more.length === 0 ? "Progress only" : `Progress, ${more.join(" and ")}`;
}

/** "Never", or when the link stops or stopped working. */
export const expiryOf = ({ expires_at: expiresAt }: Attributes): Html | string =>
  expiresAt === null ? "Never" : exactMoment(expiresAt);

export const viewsOf = ({ opened_count: count, last_opened_at: lastAt }: Attributes): Html | string =>
  lastAt === null ? "Not opened yet" : html`${count === 1 ? "1 view" : `${count} views`}, last ${moment(lastAt)}`;

/** "Created 3 hours ago by ann@example.com". */
export const creationOf = ({ created_at: createdAt, created_by: email }: Attributes): Html =>
  html`${moment(createdAt)}${email !== null && html` by ${email}`}`;

export const statusLabels: Readonly<Record<Attributes["status"], string>> = {
  active: "Active",
  expired: "Expired",
  revoked: "Revoked",
};
