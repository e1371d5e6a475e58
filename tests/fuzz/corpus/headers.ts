import { type FuzzCase, requestFor } from "../fuzz-case.ts";
import type { Operation } from "../fuzz-context.ts";
import type { Random } from "../random.ts";

const otherTypes = [
  "text/plain",
  "text/json",
  "application/xml",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/octet-stream",
  'application/vnd.api+json; ext="https://x.example"',
  "application/vnd.api+json; version=2",
  "application/json; charset=utf-16",
  "application/json; charset=iso-8859-1",
  "application/jsonp",
  "application/*",
  "*/*",
  "json",
  "",
  ";",
  "application/json, text/plain",
  "APPLICATION/VND.API",
  '"application/json"',
];
const otherAccepts = [
  "text/html",
  "application/xml",
  "image/*",
  "application/vnd.api+json; charset=utf-8",
  'application/vnd.api+json; ext="https://x.example"',
  "application/json;q=0",
  "*/*;q=0",
  "text/plain, text/html;q=0.9",
  "json",
  ";",
  "application/jsonp",
];
const encodings = ["gzip", "br", "deflate", "zstd", "gzip, identity", "x"];
const noTags = ["1", "W/", '"', '"a', "abc", '"a" "b"', "**", '"a",,"b"', "'; DROP TABLE shipments; --"];
const oldTags = ['"0"', '"999999-x"', 'W/"1-x"', '"x"', '""', '"9999999999999999999999-x"', '"-1-x"', '"1e3-x"'];
const noKeys = ["", " ", "x".repeat(256), "\u00e9\u00e8", "\u0080", '""'];

/** Media types, codings and conditions that a request cannot have. */
export function headerCases(operations: readonly Operation[], random: Random, token: string): FuzzCase[] {
  return operations.flatMap((operation) => {
    const change = (name: string, headers: Record<string, string>, status: number): FuzzCase => ({
      name: `${operation.id}, ${name}`,
      request: requestFor(operation, token, { headers }),
      expected: "refused",
      statuses: [status],
    });
    const bodyCases = operation.body
      ? [
          ...random.some(otherTypes, 8).map((type) => change("type of the body", { "Content-Type": type }, 415)),
          ...random
            .some(encodings, 3)
            .map((coding) => change("coding of the body", { "Content-Encoding": coding }, 415)),
        ]
      : [];
    const postCases =
      operation.method === "POST"
        ? random.some(noKeys, 3).map((key) => change("no key", { "Idempotency-Key": key }, 400))
        : [];
    const writeCases = operation.conditional
      ? [
          ...random.some(noTags, 4).map((tag) => change("no tag", { "If-Match": tag }, 400)),
          ...random.some(oldTags, 4).map((tag) => change("an old tag", { "If-Match": tag }, 412)),
        ]
      : [];
    const accepts = random.some(otherAccepts, 3).map((accept) => change("what is accepted", { Accept: accept }, 406));
    return [...bodyCases, ...postCases, ...writeCases, ...accepts];
  });
}

const noTokens = [
  "",
  "Token",
  "Token ",
  "Bearer",
  "Basic dXNlcjpwYXNz",
  "Token a b",
  "Token unknown",
  "Token null",
  "Token undefined",
  "Token ' OR '1'='1",
  "Token %00",
  "Token svc_live_",
  "Token __proto__",
  `Token ${"x".repeat(5_000)}`,
  "Token \u00e9",
  "Negotiate x",
  "Token=abc",
  "Token:abc",
  "svc_live_x",
  "Digest username=x",
  'Token "x"',
  "Token a,b",
];

/** Requests without a token, and writes with a read-only token. */
export function tokenCases(
  operations: readonly Operation[],
  random: Random,
  token: string,
  readToken: string,
): FuzzCase[] {
  return operations.flatMap((operation) => {
    const withoutToken = random.some(noTokens, 5).map(
      (authorization): FuzzCase => ({
        name: `${operation.id}, token`,
        request: requestFor(operation, token, { headers: { Authorization: authorization } }),
        expected: "refused",
        statuses: [401],
      }),
    );
    const none: FuzzCase = {
      name: `${operation.id}, no token`,
      request: requestFor(operation, token, { without: ["Authorization"] }),
      expected: "refused",
      statuses: [401],
    };
    const reader: FuzzCase = {
      name: `${operation.id}, a token that may only read`,
      request: requestFor(operation, readToken),
      expected: "refused",
      statuses: [403],
    };
    return [...withoutToken, none, ...(operation.writes ? [reader] : [])];
  });
}

/** Bytes that are no HTTP: the connection is ended before anything is served. */
export function byteCases(token: string): FuzzCase[] {
  const rest = `Host: x\r\nAuthorization: Token ${token}\r\n`;
  const get = `GET /v2/shipments HTTP/1.1\r\n${rest}`;
  const patch = `PATCH /v2/shipments/x HTTP/1.1\r\n${rest}Content-Type: application/json\r\n`;
  const bytes = {
    "a NUL in the address": `GET /v2/ship\u0000ments HTTP/1.1\r\n${rest}\r\n`,
    "a blank in the address": `GET /v2/ship ments HTTP/1.1\r\n${rest}\r\n`,
    "no such method": `FETCH /v2/shipments HTTP/1.1\r\n${rest}\r\n`,
    "a NUL in a header": `${get}X-Request-Id: abc\u0000defghi\r\n\r\n`,
    "a header without a name": `${get}: x\r\n\r\n`,
    "a blank before the colon": `${get}X-A : x\r\n\r\n`,
    "a folded header": `${get}X-A: x\r\n y\r\n z\u0000\r\n\r\n`,
    "two lengths": `${patch}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
    "a length and chunks": `${patch}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    "a negative length": `${patch}Content-Length: -1\r\n\r\n`,
    "a length that is no number": `${patch}Content-Length: 0x10\r\n\r\n`,
    "a chunk that is no number": `${patch}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
    "headers without end": `${get}X-A: ${"x".repeat(20_000)}\r\n\r\n`,
    "no HTTP at all": "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003",
    "no host": `GET /v2/shipments HTTP/1.1\r\nAuthorization: Token ${token}\r\n\r\n`,
  };
  return Object.entries(bytes).map(
    ([name, text]): FuzzCase => ({
      name,
      request: { bytes: text },
      expected: "unheard",
      statuses: [400, 413, 431],
    }),
  );
}
