import { type FuzzCase, requestFor } from "../fuzz-case.ts";
import type { Operation } from "../fuzz-context.ts";
import type { Random } from "../random.ts";

/** Texts that look dangerous and may be looked for all the same. */
const texts = [
  "'; DROP TABLE shipments; --",
  "' OR '1'='1",
  "%",
  "_",
  "\\",
  "%_%\\%",
  "*",
  "$1",
  "$$",
  "{{7*7}}",
  "#{jndi:ldap://x}",
  "<script>alert(1)</script>",
  "../../etc/passwd",
  "\u202etxt",
  "\u{1f6a2}",
  "e\u0301",
  "\ufeffx",
  "null",
  "__proto__",
  "x".repeat(100),
  "()",
  ".*(a+)+$",
  "--",
  "/*",
  "@>",
  "::text",
];
const requestIds = ["short", "x".repeat(65), "a%0d%0aX-Injected:%201", "<script>", "' OR 1=1", "a b c d e f"];
const noneMatches = ["x", '"', "W/", '"abc', "*x", '"a", b'];

/** Requests that are strange and do no harm: they are answered, and nothing changes. */
export function harmlessCases(operations: readonly Operation[], random: Random, token: string): FuzzCase[] {
  const free = /^(?:query|search|filter\[(?:number|ref_number|tag|request_number)\])$/;
  const reads = operations.filter(({ method }) => method === "GET");
  const read = (operation: Operation, name: string, change: Parameters<typeof requestFor>[2]): FuzzCase => ({
    name: `${operation.id}, harmless: ${name}`,
    request: requestFor(operation, token, change),
    expected: "read",
    statuses: [200],
  });
  return reads.flatMap((operation) => {
    const searched = operation.parameters
      .filter(({ name }) => free.test(name))
      .flatMap(({ name }) =>
        random
          .some(
            texts.filter((text) => !name.includes("tag") || text.length <= 50),
            12,
          )
          .map((text) => read(operation, name, { query: `${name}=${encodeURIComponent(text)}` })),
      );
    const named = random
      .some(requestIds, 2)
      .map((id) => read(operation, "request id", { headers: { "X-Request-Id": id } }));
    const matched = random
      .some(noneMatches, 2)
      .map((tag) => read(operation, "no tag", { headers: { "If-None-Match": tag } }));
    const ignored = read(operation, "a body", { body: "{", headers: { "Content-Type": "text/plain" } });
    const scheme = read(operation, "what is accepted", { headers: { Accept: 'text/html;q=0.9, */*;q=0.1, ";' } });
    return [...searched, ...named, ...matched, ignored, scheme];
  });
}
