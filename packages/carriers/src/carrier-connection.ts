import { z } from "zod";
import { QuirkProfile } from "./dcsa/quirk-profile.ts";

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
// Visible ASCII, spaces and tabs: anything else could end the header and begin another.
const headerValue = /^[\t\x20-\x7e]*$/;

const baseUrl = z
  .url({ protocol: /^https?$/, error: "must be an http or https address" })
  .refine((value) => {
    const { search, hash, username, password } = new URL(value);
    return search === "" && hash === "" && username === "" && password === "";
  }, "must have no query, fragment or credentials; credentials belong in headers")
  .transform((value) => value.replace(/\/+$/, ""));

/**
 * How one shipping line is reached. Headers carry the credentials, for example
 * `{"X-IBM-Client-Id": "…", "X-IBM-Client-Secret": "…"}`, so an object of this type must not be logged.
 */
export const CarrierConnection = z.strictObject({
  scac: z.string().regex(/^[A-Z]{2,4}$/, "must be two to four capital letters"),
  protocol: z.literal("dcsa-2.2"),
  baseUrl,
  headers: z
    .record(
      z.string().regex(headerName, "is not a header name"),
      z.string().regex(headerValue, "is not a header value"),
    )
    .default({}),
  profile: QuirkProfile.prefault({}),
  /** For each request, its body included. */
  timeoutMs: z.int().min(100).max(120_000).default(10_000),
  /** For all pages of a reply together. */
  maxBodyBytes: z
    .int()
    .min(1_024)
    .max(200 * 1024 * 1024)
    .default(20 * 1024 * 1024),
});
export type CarrierConnection = z.output<typeof CarrierConnection>;

const list = z
  .array(CarrierConnection)
  .refine((connections) => new Set(connections.map((each) => each.scac)).size === connections.length, {
    error: "names a SCAC twice",
  })
  .refine((connections) => connections.every((each) => each.scac !== "TEST"), {
    error: "names TEST, which is built in",
  });

/**
 * The text of `SVC_CARRIERS`: a JSON array of connections. Its error messages name the place and never a value, because
 * values are credentials.
 */
export const CarrierConnectionList = z.string().transform((text, context): CarrierConnection[] => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    context.addIssue({ code: "custom", message: "is not JSON" });
    return z.NEVER;
  }
  const result = list.safeParse(value);
  if (result.success) return result.data;
  for (const issue of result.error.issues) {
    const place = issue.path.length > 0 ? `at ${issue.path.join(".")}: ` : "";
    context.addIssue({ code: "custom", message: `${place}${issue.message}` });
  }
  return z.NEVER;
});
