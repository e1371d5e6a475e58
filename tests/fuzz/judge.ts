import { ErrorDocument, ErrorObject } from "@svc/jsonapi";
import { checkStatusIsDescribed } from "../../apps/api/src/testing/described-statuses.ts";
import type { FuzzCase } from "./fuzz-case.ts";
import type { WireResponse } from "./wire.ts";

/** Words that only the inside of the service knows. */
const internals =
  /node_modules|\.ts:\d|\bat \w+ \(|prisma|zod|postgres|syntax error|relation "|invalid input syntax|ECONN/i;
/** Header that a request injects on purpose, to see whether it arrives in the response. */
const injected = "x-injected";
/** An error document that is much larger than what it is about would help who wants to overload the service. */
const refusalBytesMax = 65_536;

function textOf(request: FuzzCase["request"]): string {
  if ("bytes" in request) return JSON.stringify(request.bytes.slice(0, 400));
  const { method, path, headers, body } = request;
  const { Authorization: _token, ...shown } = headers;
  const start = body && JSON.stringify(Buffer.from(body.subarray(0, 400)).toString("utf8"));
  return `${method} ${path.slice(0, 400)} ${JSON.stringify(shown).slice(0, 400)} ${start ?? ""} (${body?.length ?? 0} bytes)`;
}

function refusalProblem({ headers, status, text }: WireResponse): string | null {
  if (headers["content-type"] !== "application/vnd.api+json") return `content type ${headers["content-type"]}`;
  if (text.length > refusalBytesMax) return `an error document of ${text.length} bytes`;
  if (internals.test(text)) return "inside words in the answer";
  const document = ErrorDocument.strict().safeParse(JSON.parse(text));
  if (!document.success) return `no error document: ${document.error.message}`;
  const statuses = new Set(document.data.errors.map((error) => error.status));
  if (statuses.size === 1 && !statuses.has(String(status))) return "the document has another status";
  return document.data.errors.every(({ id }) => id === headers["x-request-id"]) ? null : "another request id";
}

function outcomesProblem(response: WireResponse): string | null {
  if (response.text.length > refusalBytesMax) return `outcomes of ${response.text.length} bytes`;
  const { meta } = JSON.parse(response.text) as { meta: { created: number; outcomes: { errors: unknown[] }[] } };
  if (meta.created !== 0) return `${meta.created} created`;
  const errors = meta.outcomes.flatMap((outcome) => outcome.errors);
  return errors.length > 0 && errors.every((error) => ErrorObject.safeParse(error).success)
    ? null
    : "no errors reported";
}

function problemWith({ expected, statuses, request }: FuzzCase, response: WireResponse): string | null {
  if (injected in response.headers) return "a header of the request's making";
  if (!statuses.includes(response.status)) return `expected ${statuses.join(" or ")}`;
  if ("method" in request) checkStatusIsDescribed(request.method, request.path, response.status);
  // Node itself ends a request without a Host, with a bare status.
  if (expected === "unheard" && !response.headers["content-type"]) return null;
  if (expected === "outcome" && response.status === 200) return outcomesProblem(response);
  if (expected === "read") {
    // An export has one document in each line.
    const isExport = response.headers["content-type"]?.startsWith("application/jsonl") === true;
    if (response.headers["content-type"] === "application/octet-stream") return null;
    const documents = isExport ? response.text.split("\n") : [response.text];
    if (response.status === 200) for (const document of documents) if (document !== "") JSON.parse(document);
    return null;
  }
  return refusalProblem(response);
}

/** Returns the fault of the response, with the request that shows it; null: none. */
export function judge(one: FuzzCase, response: WireResponse): string | null {
  const described = (problem: string) =>
    `${one.name}: ${problem}; got ${response.status} ${response.text.slice(0, 300)} for ${textOf(one.request)}`;
  try {
    const problem = problemWith(one, response);
    return problem === null ? null : described(problem);
  } catch (error) {
    return described(String(error));
  }
}
