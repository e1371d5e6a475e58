import { hash } from "node:crypto";
import { TrackingError } from "@svc/jsonapi";

/**
 * A strong entity tag. The part before the dash is the version of the record, the same in all its representations, so
 * that a write can be tied to a version that was read in any shape; the rest is a digest of the body.
 */
export function entityTag(body: string, version?: number): string {
  const digest = hash("sha1", body, "base64url");
  return version === undefined ? `"${digest}"` : `"${version}-${digest}"`;
}

const listShape = /^\s*(?:W\/)?"[\x21\x23-\x7e]*"(?:\s*,\s*(?:W\/)?"[\x21\x23-\x7e]*")*\s*$/;
const tagShape = /(W\/)?"([\x21\x23-\x7e]*)"/g;

/** Suffix that Apache and other proxies add to the ETag of a response that they compress; clients send it back. */
const compressionMark = /-(?:gzip|br|zstd)$/;

/** Whether the client names the response's tag, which it has only with the response, compressed or not. */
export function namesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  return [...(ifNoneMatch ?? "").matchAll(tagShape)].some(
    ([, , opaque = ""]) => `"${opaque}"` === tag || `"${opaque.replace(compressionMark, "")}"` === tag,
  );
}

/** `*` matches whatever exists. */
const matchesAny = (header: string): boolean => header.trim() === "*";

/** Whether the response is 304. */
export function isNotModified(ifNoneMatch: string | undefined, tag: string): boolean {
  return matchesAny(ifNoneMatch ?? "") || namesTag(ifNoneMatch, tag);
}

/**
 * The versions that If-Match allows a write to start from; null: any. Throws `TrackingError` (400) for a header of
 * another form. Weak tags allow nothing. A tag contains the version, not the record: the tag of another record allows a
 * write when both have the same version.
 */
export function parseIfMatch(ifMatch: string | undefined): readonly number[] | null {
  if (ifMatch === undefined || matchesAny(ifMatch)) return null;
  if (!listShape.test(ifMatch)) {
    throw TrackingError.of(
      "invalid_parameter",
      'If-Match takes entity tags in quotes, as in the ETag header, or "*".',
      {
        source: { header: "If-Match" },
      },
    );
  }
  return [...ifMatch.matchAll(tagShape)].flatMap(([, weak, opaque = ""]) => {
    const version = /^(\d{1,9})-[\w-]+$/.exec(opaque)?.[1];
    return weak === undefined && version !== undefined ? [Number(version)] : [];
  });
}

/** A write was tied to a version of the record that is no longer the present one. */
export function preconditionFailed(): TrackingError {
  return TrackingError.of(
    "precondition_failed",
    "The record was changed in the meantime. Read it again, and send the ETag of that response in If-Match.",
    { source: { header: "If-Match" } },
  );
}

/** Throws when the record has another version than a write was tied to. */
export function checkVersion(ifVersions: readonly number[] | null, present: { readonly rowVersion: number }): void {
  if (ifVersions !== null && !ifVersions.includes(present.rowVersion)) throw preconditionFailed();
}

/** Throws when nothing was written although the record has another version than the write was tied to. */
export function checkWritten(
  written: boolean,
  ifVersions: readonly number[] | null,
  present: { readonly rowVersion: number },
): void {
  if (!written) checkVersion(ifVersions, present);
}
