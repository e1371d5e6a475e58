import { jsonList, namedItems } from "@svc/domain/json-lists";
import ssh2 from "ssh2";
import { z } from "zod";
import { partnerFields, sourceName } from "../edi-sources/source-config.ts";

const secret = z.string().min(1).max(20_000);
const fingerprint = /^SHA256:[A-Za-z0-9+/]{43}$/;

const SftpServer = z
  .strictObject({
    name: sourceName,
    host: z.string().min(1).max(253),
    port: z.int().min(1).max(65_535).default(22),
    username: z.string().min(1).max(200),
    password: secret.optional(),
    privateKey: secret.optional(),
    passphrase: secret.optional(),
    hostKey: z.string().regex(fingerprint, "must be a fingerprint as `ssh-keygen -lf` prints it: SHA256:…"),
    folder: z.string().min(1).max(1_000).default("."),
    afterwards: z.enum(["move", "keep"]).default("move"),
    ...partnerFields,
  })
  .superRefine(({ password, privateKey, passphrase }, context) => {
    if ((password === undefined) === (privateKey === undefined))
      context.addIssue({ code: "custom", message: "needs either password or privateKey" });
    if (privateKey !== undefined && ssh2.utils.parseKey(privateKey, passphrase) instanceof Error)
      context.addIssue({
        code: "custom",
        path: ["privateKey"],
        message: "is no private key in the format of OpenSSH or PEM, or passphrase does not decrypt it",
      });
  });

/** An SFTP server on which a partner leaves EDI files for one account. */
export type SftpServer = z.output<typeof SftpServer>;

export const SftpServerList = jsonList(namedItems(SftpServer));
