import { createHash, randomBytes } from "node:crypto";
import { type Database, uuidV7 } from "@svc/persistence";

export interface NewShareLink {
  readonly showsReferences?: boolean;
  readonly showsFees?: boolean;
}

/** Adds a share link as the API stores it, except its encrypted secret, which the public page does not read. */
export async function addShareLink(
  { prisma }: Database,
  accountId: string,
  shipmentId: string,
  { showsReferences = false, showsFees = false }: NewShareLink = {},
): Promise<{ readonly id: string; readonly path: string }> {
  const [id, secret] = [uuidV7.next(), randomBytes(32).toString("base64url")];
  const tokenSha256 = Buffer.from(createHash("sha256").update(secret).digest());
  await prisma.shareLink.create({
    data: {
      accountId,
      id,
      shipmentId,
      tokenSha256,
      sealedToken: Buffer.from("sealed"),
      showsReferences,
      showsFees,
      createdAt: new Date(),
    },
  });
  return { id, path: `/share/${secret}` };
}
