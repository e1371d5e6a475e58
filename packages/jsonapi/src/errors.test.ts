import { describe, expect, test } from "@jest/globals";
import { ErrorDocument, errorCodes, statusOf, toErrorDocument } from "./errors.ts";
import { type Fault, statusByCode } from "./tracking-error.ts";

describe("error documents", () => {
  test("every code gives a valid document with the title of its status [spec: J15, J60, P11, G15]", () => {
    for (const code of errorCodes) {
      const document = toErrorDocument([{ code, detail: "Why.", source: { pointer: "/data" } }], {
        requestId: "request-1",
      });
      expect(ErrorDocument.strict().safeParse(document).error).toBeUndefined();
      expect(document.errors[0]).toMatchObject({ id: "request-1", status: String(statusByCode[code]), code });
      expect(document.errors[0]?.title).not.toBe("Error");
    }
  });

  test("faults of several statuses have the status 400", () => {
    const invalid = { code: "invalid", detail: "" } as const;
    expect(statusOf([invalid, { code: "blank", detail: "" }])).toBe(422);
    expect(statusOf([invalid, { code: "not_found", detail: "" }])).toBe(400);
  });
});

test("a response has at most 100 faults and the number of further ones", () => {
  const faults = Array.from({ length: 60_000 }, (_, index): Fault => ({ code: "invalid", detail: `fault ${index}` }));
  const { errors } = toErrorDocument(faults, { requestId: "request-1" });
  expect(errors).toHaveLength(100);
  expect(errors.map((error) => error.meta)).toEqual([...Array(99).fill(undefined), { errors_left_out: 59_900 }]);
  expect(toErrorDocument(faults.slice(0, 100), { requestId: "request-1" }).errors.at(-1)?.meta).toBeUndefined();
});
