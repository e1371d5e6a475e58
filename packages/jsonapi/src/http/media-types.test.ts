import { describe, expect, test } from "@jest/globals";
import { isSupportedContentType, negotiate } from "./media-types.ts";

const jsonApi = "application/vnd.api+json";

describe("request media types (JSON:API 1.1, Content Negotiation)", () => {
  test.each([
    [jsonApi, true],
    ["application/json", true],
    ["application/json; charset=utf-8", true],
    ["Application/JSON;charset=UTF-8", true],
    ["application/json; charset=latin1", false],
    [`${jsonApi}; profile="https://x.example/p"`, true],
    [`${jsonApi}; charset=utf-8`, true],
    [`${jsonApi};charset="UTF-8"; profile="https://x.example/p"`, true],
    [`${jsonApi}; charset=latin1`, false],
    [`${jsonApi}; charset=utf-8; version=1`, false],
    [`${jsonApi}; ext="https://jsonapi.org/ext/atomic"`, false],
    ["text/plain", false],
    ["application/x-www-form-urlencoded", false],
    ["", false],
    [undefined, false],
  ])("%s [spec: J2, J3, J4, J5]", (header, supported) => {
    expect(isSupportedContentType(header)).toBe(supported);
  });
});

describe("response media types", () => {
  test.each([
    [undefined, jsonApi],
    ["*/*", jsonApi],
    ["application/json, text/plain, */*", jsonApi],
    ["application/json", "application/json"],
    [`${jsonApi}; charset=utf-8`, null],
    [`${jsonApi}; charset=utf-8, ${jsonApi}`, jsonApi],
    [`${jsonApi}; ext="https://unsupported.example"`, null],
    [`${jsonApi}; profile="https://a.example/p,q https://b.example"`, jsonApi],
    [`${jsonApi};q=0.8, */*;q=0.1`, jsonApi],
    [`${jsonApi};q=0, */*`, "application/json"],
    ["text/html", null],
    // JSON:API requires 406 when its media type has only unsupported parameters, even if another range matches.
    [`${jsonApi}; charset=utf-8, */*`, null],
    [`${jsonApi}; ext="https://unsupported.example", application/json`, null],
    ["application/json;q=0.2, application/*;q=0", "application/json"],
    ["*/*;q=0", null],
    ["application/*;q=0, */*", null],
    ["application/json;q=nonsense", null],
  ])("Accept: %s [spec: J6, J8, J10]", (accept, expected) => {
    expect(negotiate(accept)).toBe(expected);
  });
});
