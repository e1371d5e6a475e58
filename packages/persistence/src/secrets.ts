import { createHash, randomBytes } from "node:crypto";

/** The secret of a link or cookie: 256 random bits in base64url. */
export const generateSecret = (): string => randomBytes(32).toString("base64url");

/** Whether a text has the form of a generated secret. */
export const isSecret = (text: string): boolean => /^[\w-]{43}$/.test(text);

export const sha256 = (text: string): Buffer<ArrayBuffer> => createHash("sha256").update(text).digest();
