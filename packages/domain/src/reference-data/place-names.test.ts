import { describe, expect, test } from "@jest/globals";
import { createPlaceNames } from "./place-names.ts";

const place = (locode: string, name: string, city: string | null = null) => ({ locode, name, city });
const locodeOf = createPlaceNames([
  place("CNTAO", "Qingdao"),
  place("CNTXG", "Tianjin Xingang", "Tianjin"),
  place("CNTSN", "Tianjin", "Tianjin"),
  place("USLGB", "Long Beach"),
  place("USNYC", "New York / New Jersey", "New York"),
  place("INNSA", "Nhava Sheva (JNPT)", "Mumbai"),
  place("SGSIN", "Singapore"),
  place("MMRGN", "Yangon"),
  place("HKHKG", "Hong Kong"),
  place("BRSSZ", "Santos"),
]);

describe("a place in words", () => {
  test.each([
    ["Long Beach,United States", "USLGB"],
    ["QQCTU Qingdao Qianwan United Ctn,Qingdao,Shandong,China", "CNTAO"],
    ["Kepple/Tanjong Pagar Terminal,Singapore,,Singapore", "SGSIN"],
    ["Qingdao ,Shandong ,China", "CNTAO"],
    ["Aisa World Port Terminal,Yangon,Yangon,Myanmar", "MMRGN"],
    ["NEW YORK, USA", "USNYC"],
    ["Nhava Sheva,India", "INNSA"],
    ["Hong Kong,Hong Kong", "HKHKG"],
  ])("%s is %s", (text, locode) => {
    expect(locodeOf(text)).toBe(locode);
  });

  test.each([
    ["of two places", "Tianjin,China"],
    ["without a country", "Long Beach"],
    ["of a state that is named like a port", "Albany Depot,Albany,New York,United States"],
    ["in another country", "Santos,United States"],
    ["that is unknown", "Duisburg,Germany"],
    ["of an unknown country", "Qingdao,Atlantis"],
    ["that is empty", ""],
  ])("a name %s is not guessed", (_case, text) => {
    expect(locodeOf(text)).toBeNull();
  });
});
