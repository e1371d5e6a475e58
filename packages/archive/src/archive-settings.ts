import { fileURLToPath } from "node:url";
import { z } from "zod";
import { createDirectoryStore } from "./directory-store.ts";
import type { ObjectStore } from "./object-store.ts";
import { createS3Store } from "./s3-store.ts";

/** Variables of the processes that read or write the archive. */
export const archiveVariables = {
  SVC_ARCHIVE_URL: z
    .url({ protocol: /^(file|https?)$/ })
    .refine((url) => new URL(url).username === "" && new URL(url).password === "", "must have no user and password")
    .refine((url) => !/[?#]/.test(url), "must have no query and fragment")
    .optional()
    .describe(
      "object store of archived replies: file:///directory, or the address of a bucket of an S3-compatible server in path style; see docs/archive.md",
    ),
  SVC_ARCHIVE_REGION: z.string().min(1).default("us-east-1").describe("region of the bucket"),
  SVC_ARCHIVE_ACCESS_KEY_ID: z.string().min(1).optional().describe("access key of the bucket"),
  SVC_ARCHIVE_SECRET_ACCESS_KEY: z.string().min(1).optional().describe("secret of the access key"),
};

export type ArchiveConfig = z.output<z.ZodObject<typeof archiveVariables>>;

const isDirectory = (url: string): boolean => url.startsWith("file:");

/** Returns the contradictions between the variables, without their values. */
export function archiveProblems(config: ArchiveConfig): string[] {
  const { SVC_ARCHIVE_URL: url, SVC_ARCHIVE_ACCESS_KEY_ID: key, SVC_ARCHIVE_SECRET_ACCESS_KEY: secret } = config;
  if ((key === undefined) !== (secret === undefined))
    return ["SVC_ARCHIVE_ACCESS_KEY_ID and SVC_ARCHIVE_SECRET_ACCESS_KEY belong together: set both or neither"];
  if (url === undefined) return [];
  if (!isDirectory(url))
    return key === undefined
      ? ["SVC_ARCHIVE_URL is a bucket: set SVC_ARCHIVE_ACCESS_KEY_ID and SVC_ARCHIVE_SECRET_ACCESS_KEY"]
      : [];
  const { host, pathname } = new URL(url);
  return host === "" && pathname.length > 1 ? [] : ["SVC_ARCHIVE_URL must have three slashes before a directory"];
}

/** The configured store; null without one. Expects variables without problems. */
export function openArchiveStore(config: ArchiveConfig): ObjectStore | null {
  const { SVC_ARCHIVE_URL: url, SVC_ARCHIVE_ACCESS_KEY_ID: accessKeyId = "" } = config;
  if (url === undefined) return null;
  if (isDirectory(url)) return createDirectoryStore(fileURLToPath(url).replace(/(?<=.)\/+$/, ""));
  const { SVC_ARCHIVE_SECRET_ACCESS_KEY: secretAccessKey = "", SVC_ARCHIVE_REGION: region } = config;
  return createS3Store({ url, region, accessKeyId, secretAccessKey });
}
