import { jsonList, namedItems } from "@svc/domain/json-lists";
import { isLoopbackHost } from "@svc/service-kit";
import { z } from "zod";
import { partnerFields, sourceName } from "../edi-sources/source-config.ts";

const secret = z.string().min(1).max(20_000);

const EdiMailbox = z
  .strictObject({
    name: sourceName,
    host: z.string().min(1).max(253),
    port: z.int().min(1).max(65_535).default(993),
    security: z.enum(["tls", "starttls", "none"]).default("tls"),
    username: z.string().min(1).max(320),
    password: secret.optional(),
    accessToken: secret.optional(),
    mailbox: z.string().min(1).max(1_000).default("INBOX"),
    senders: z
      .array(
        z
          .string()
          .regex(/^[^@\s]*@[^@\s]+$/, "must be an address, or @ and a domain")
          .transform((text) => text.toLowerCase()),
      )
      .min(1, "must name who may send files"),
    ...partnerFields,
  })
  .superRefine(({ password, accessToken, security, host }, context) => {
    if ((password === undefined) === (accessToken === undefined))
      context.addIssue({ code: "custom", message: "needs either password or accessToken" });
    if (security === "none" && !isLoopbackHost(host))
      context.addIssue({ code: "custom", path: ["security"], message: "may be none on this machine only" });
  });

/** An IMAP mailbox to which partners send EDI files for one account. */
export type EdiMailbox = z.output<typeof EdiMailbox>;

export const EdiMailboxList = jsonList(namedItems(EdiMailbox));
