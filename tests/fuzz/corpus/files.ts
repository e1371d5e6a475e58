import { type FuzzCase, requestFor } from "../fuzz-case.ts";
import type { Operation } from "../fuzz-context.ts";
import type { Random } from "../random.ts";

const otherTypes = [
  "application/json",
  "application/vnd.api+json",
  "application/octet-stream",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/edi-consent",
  "text/plain; charset=utf-16",
  "text/plain; charset=windows-1251",
  "text/html",
  "text/*",
  "*/*",
  "",
];
const codings = ["gzip", "br", "zstd", "x"];
const noEdi: readonly (string | Uint8Array)[] = [
  "",
  " \r\n\t ",
  "{}",
  "[]",
  "null",
  "SA*00*",
  "isa*00*",
  "UN",
  "\u0000UNB",
  "<UNB/>",
  "PK\u0003\u0004",
  Buffer.from("UNB+UNOC:3+A+B'", "utf16le"),
  Buffer.from("\ufeffUNB+UNOC:3+A+B'", "utf16le"),
  Uint8Array.of(0xff, 0xfe, 0xfd),
  Buffer.alloc(2_000_000, " "),
];

/** Files of a type that is not taken, larger than is allowed, or that are none of their kind. */
export function fileCases(operations: readonly Operation[], _random: Random, token: string): FuzzCase[] {
  const sending = operations.filter(({ file }) => file !== undefined);
  return sending.flatMap((operation) => {
    const change = (name: string, status: number, changed: Parameters<typeof requestFor>[2]): FuzzCase => ({
      name: `${operation.id}, ${name}`,
      request: requestFor(operation, token, changed),
      expected: "refused",
      statuses: [status],
    });
    return [
      ...otherTypes.map((type) => change(`type ${type}`, 415, { headers: { "Content-Type": type } })),
      ...codings.map((coding) => change(`coding ${coding}`, 415, { headers: { "Content-Encoding": coding } })),
      ...noEdi.map((body, index) => change(`no file of its kind, ${index}`, 422, { body })),
      change("no file of its kind, in chunks", 422, { body: "{}", chunked: true }),
      change("an announced file of 10 GB", 413, { headers: { "Content-Length": "10000000000" } }),
    ];
  });
}
