import { describe, expect, test } from "@jest/globals";
import { isLocode } from "./locode.ts";

describe("UN/LOCODE", () => {
  test.each(["NLRTM", "USLGB", "US2TA"])("%s has the shape", (code) => expect(isLocode(code)).toBe(true));
  test.each(["NLRT", "NLRTMX", "nlrtm", "US1TA", "US0TA", "1LRTM", ""])("%j has not", (code) =>
    expect(isLocode(code)).toBe(false),
  );
});
