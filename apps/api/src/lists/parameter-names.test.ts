import { expect, test } from "@jest/globals";
import { routes } from "../routes.ts";

/**
 * JSON:API reserves names of small letters only. Clients send these, all but `avoid` and `period` as for the reference
 * service.
 */
const inheritedNames = ["avoid", "event", "latitude", "longitude", "number", "period", "q", "query", "search"];

test("a parameter of our own has a name that JSON:API leaves to services [spec: J58]", () => {
  // An export is no JSON:API document, nor is a file that is sent.
  const documentRoutes = routes.filter(({ streams, request: { body } }) => !streams && !(body && "bytes" in body));
  const names = documentRoutes.flatMap(({ request }) =>
    Object.values(request.query?.parameters ?? {}).map(({ name }) => name),
  );
  expect(names.length).toBeGreaterThan(30);
  const families = /^(?:filter|page|fields)(?:\[\w+\])+$/;
  const reserved = names.filter((name) => !families.test(name) && /^[a-z]+$/.test(name));
  expect([...new Set(reserved)].toSorted()).toEqual(inheritedNames);
});
