import { expect, test } from "@jest/globals";
import { ErrorDocument } from "@svc/jsonapi";
import { started } from "@svc/testkit/started";
import { startTestApi } from "../testing/start-test-api.ts";

const api = started(startTestApi);

test.each(["/", "/shipments", "/v1/shipments", "/docs/x", "/%E0%A4%A", "/%00", "/v2x"])(
  "404 as JSON:API outside the version prefix: %s",
  async (path) => {
    for (const method of ["GET", "POST", "DELETE"]) {
      const response = await fetch(new URL(path, api.url), { method });
      expect([response.status, response.headers.get("content-type")]).toEqual([404, "application/vnd.api+json"]);
      const { errors } = ErrorDocument.strict().parse(await response.json());
      expect(errors[0]).toMatchObject({ code: "not_found", id: response.headers.get("x-request-id") });
    }
  },
);
