import { expect, test } from "@jest/globals";
import { fact, testPlaces } from "../derivation/testing/voyage.ts";
import type { Observation } from "../observations/observation.ts";
import { portOfDischargeChange } from "./port-of-discharge-change.ts";

const antwerp = fact("EST ARRI", { at: "BEANR", day: 34, vessel: "A" });

const changeOf = (first: string | null, present: string | null, moves: readonly Observation[] = [antwerp]) =>
  portOfDischargeChange({ first, present }, moves, testPlaces);

test("another port than was first reported is a change, with both names", () => {
  expect(changeOf("NLRTM", "SGSIN")).toEqual({
    previousPlace: { locode: "NLRTM", name: "Rotterdam" },
    place: { locode: "SGSIN", name: "Singapore" },
  });
});

test("ignores the same port, also by another code, and an unknown one", () => {
  expect(changeOf("NLRTM", "NLRTM")).toBeNull();
  expect(changeOf("CNSGH", "CNSHA")).toBeNull();
  expect(changeOf(null, "BEANR")).toBeNull();
  expect(changeOf("NLRTM", null)).toBeNull();
});

test("a move by rail from the first port is no sailing", () => {
  const onwards = fact("PLN DEPA", { at: "NLRTM", day: 31, mode: "RAIL" });
  expect(changeOf("NLRTM", "BEANR", [antwerp, onwards])).not.toBeNull();
});

test("a port from which the container sails on was the end of the route as far as it was known", () => {
  const sails = { at: "NLRTM", day: 31, vessel: "B", eventId: null } as const;
  expect(changeOf("NLRTM", "BEANR", [antwerp, fact("PLN DEPA", sails)])).toBeNull();
  const withdrawn = fact("PLN DEPA", { ...sails, reported: 2, retracted: true });
  expect(changeOf("NLRTM", "BEANR", [antwerp, fact("PLN DEPA", sails), withdrawn])).not.toBeNull();
});
