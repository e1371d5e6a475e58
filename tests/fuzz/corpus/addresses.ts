import { type FuzzCase, requestFor } from "../fuzz-case.ts";
import { absentId, type Operation } from "../fuzz-context.ts";
import type { Random } from "../random.ts";

/** Values that are no ids. */
const noIds = [
  "1",
  "0",
  "-1",
  "null",
  "undefined",
  "NaN",
  "%00",
  `${absentId}%00`,
  `${absentId}%0d%0aX-Injected:%201`,
  "..%2f..%2fetc%2fpasswd",
  "%2e%2e",
  "%252e%252e",
  "..;",
  "1%20OR%201=1",
  "'%20OR%20'1'='1",
  "1;DROP%20TABLE%20shipments--",
  "%27%3BSELECT%20pg_sleep(5)--",
  "{id}",
  "$where",
  "[object%20Object]",
  "__proto__",
  "constructor",
  "%F0%9F%9A%A2",
  "%EF%BF%BF",
  "x".repeat(4_000),
  `{${absentId}}`,
  absentId.replaceAll("-", ""),
  `${absentId}0`,
  `urn:uuid:${absentId}`,
  "../webhooks",
];

/** Percent-encoding that is no UTF-8. */
const noPaths = ["%", "%zz", "%E0%A4%A", "%C0%AF", "%ED%A0%80", "%FF"];

const strangePaths = [
  "/",
  "//",
  "/../../etc/passwd",
  "/.env",
  "/v2/shipments",
  "/Shipments",
  "/shipments/",
  "/shipments//",
  "/openapi.json/x",
  "/constructor",
  "/__proto__",
  "/%73hipments/x/y",
  "/shipments;v=1",
  "/shipments%2f",
  "/*",
  "/tracking_requests/infer_number/x",
  "/wp-admin/setup.php",
  `/${"a/".repeat(2_000)}`,
];

const strangeMethods = [
  "PUT",
  "DELETE",
  "PATCH",
  "POST",
  "TRACE",
  "PROPFIND",
  "MKCOL",
  "LINK",
  "PURGE",
  "REPORT",
  "QUERY",
];

/** Returns the cases of the endpoint for pushes of carriers: no operation describes it, and it requires no token. */
function carrierCases(list: Operation): FuzzCase[] {
  const caseOf = (method: string, id: string, statuses: readonly number[]): FuzzCase => ({
    name: "a carrier's push",
    request: requestFor(list, "", { path: `/carrier_events/${id}`, method, without: ["Authorization"] }),
    expected: "refused",
    statuses,
  });
  return [
    ...noPaths.flatMap((id) => ["GET", "POST", "DELETE"].map((method) => caseOf(method, id, [400]))),
    ...noIds.map((id) => caseOf("POST", id, [404])),
    ...strangeMethods.filter((method) => method !== "POST").map((method) => caseOf(method, absentId, [405])),
  ];
}

const withId = (operation: Operation, id: string): string => operation.template.replace("{id}", () => id);

/** Ids that are none, ids that nothing has, and ids of another account. */
export function idCases(operations: readonly Operation[], random: Random, token: string): FuzzCase[] {
  return operations
    .filter(({ template }) => template.includes("{id}"))
    .flatMap((operation) => {
      const paths = [...random.some(noIds, 20).map((id) => withId(operation, id)), withId(operation, absentId)];
      if (operation.strangersPath !== undefined) paths.push(operation.strangersPath);
      const unknown = paths.map(
        (path): FuzzCase => ({
          name: `${operation.id}, path`,
          request: requestFor(operation, token, { path }),
          expected: "refused",
          statuses: [404],
        }),
      );
      const broken = random.some(noPaths, 3).map(
        (id): FuzzCase => ({
          name: `${operation.id}, percent-encoding`,
          request: requestFor(operation, token, { path: withId(operation, id) }),
          expected: "refused",
          statuses: [400],
        }),
      );
      return [...unknown, ...broken];
    });
}

/** Addresses that lead nowhere, and methods that are not possible. */
export function routeCases(operations: readonly Operation[], random: Random, token: string): FuzzCase[] {
  const list = operations.find(({ id }) => id === "listShipments") as Operation;
  const unknownPaths = strangePaths.flatMap((path) =>
    ["GET", "POST", "DELETE"].map(
      (method): FuzzCase => ({
        name: "no route",
        request: requestFor(list, token, { path, method }),
        expected: "refused",
        statuses: [404],
      }),
    ),
  );
  const operationsByTemplate = Map.groupBy(operations, ({ template }) => template);
  const impossible = [...operationsByTemplate].flatMap(([template, own]) => {
    const possible = own.map(({ method }) => method);
    const methods = strangeMethods.filter((method) => !possible.includes(method));
    return random.some(methods, 4).map(
      (method): FuzzCase => ({
        name: `${template}, method`,
        request: requestFor(own[0] as Operation, token, { method }),
        expected: "refused",
        statuses: [405],
      }),
    );
  });
  return [...unknownPaths, ...impossible, ...carrierCases(list)];
}
