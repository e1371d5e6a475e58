import { minRoles } from "@svc/domain/members";
import { ErrorDocument, type ResourceType, resourceSchemas } from "@svc/jsonapi";
import { writeDocumentSchema } from "@svc/jsonapi/documents";
import { jsonApiMediaType, jsonMediaType } from "@svc/jsonapi/http";
import { NotificationDocument } from "@svc/jsonapi/notifications";
import type { z } from "zod";
import type { Route } from "../http/define-route.ts";
import { JsonSchemas } from "./json-schemas.ts";
import { findExample } from "./operation-examples.ts";
import { operationParameters, sharedParameters } from "./operation-parameters.ts";
import { bytesContent, operationResponses, sharedHeaders, sharedResponses } from "./operation-responses.ts";
import { apiVersion } from "./published-description.ts";

const introduction = `Tracks ocean shipments and their containers from origin to destination.

Records have \`id\`, \`type\`, \`attributes\`, \`relationships\` and \`links\` (JSON:API 1.1). Every request carries
\`Authorization: Token <API_KEY>\`. Bodies are \`application/vnd.api+json\` or \`application/json\`. Subscribe to
webhooks for changes; polling is rate limited. This version is a beta.`;

const tags = [
  ["Tracking requests", "Numbers to track, and the status of tracking them."],
  ["Shipments", "The data of a bill of lading or booking."],
  ["Containers", "The data of each container, and its events."],
  ["Overviews", "Flat rows, counts and changes over the whole account."],
  ["Share links", "Public read-only pages of shipments, which need no login."],
  ["Exceptions", "What needs attention, with its owner and price."],
  ["Alerts", "Exceptions by e-mail, Slack and Teams."],
  ["Audit log", "Who changed what, and when."],
  ["Saved views", "Lists with their filters, order and columns under a name."],
  ["Demurrage", "Free time and charges of lines and terminals, and what they charge for a container."],
  ["Emissions", "Emission factors of the account, and what a container emits by them."],
  ["Exports", "All records, or those that changed since an earlier export, for data warehouses."],
  ["Search", "Search by part of a number or reference."],
  ["Carrier connections", "Your own carrier credentials, and their status."],
  ["Event imports", "Import of events from carriers without an API."],
  ["EDI files", "Status messages of partners in X12 and EDIFACT."],
  ["Webhooks", "Endpoints that receive notifications."],
  ["Webhook notifications", "Notifications and their delivery status."],
  ["Reference data", "Shipping lines, ports, terminals and vessels."],
  ["Parties", "Customers of the account."],
  ["Custom fields", "Custom fields of shipments, containers and tracking requests."],
] as const;

function bodySchema(route: Route): z.ZodType | null {
  const { body } = route.request;
  if (!body || "bytes" in body) return null;
  if ("plain" in body) return body.plain;
  if ("custom" in body) return body.custom;
  return writeDocumentSchema(body.document);
}

function requestBody(route: Route, schemas: JsonSchemas): object | null {
  const { body } = route.request;
  if (body && "bytes" in body) {
    return { required: true, content: Object.fromEntries(body.bytes.mediaTypes.map((type) => [type, bytesContent])) };
  }
  const schema = bodySchema(route);
  if (!body || !schema) return null;
  const content = { schema: schemas.add(schema, "input") };
  const { request: example } = findExample(route);
  const types = "plain" in body ? [jsonMediaType] : [jsonApiMediaType, jsonMediaType];
  return {
    required: !("optional" in body && body.optional),
    content: Object.fromEntries(
      types.map((type, index) => [type, index === 0 && example ? { ...content, example } : content]),
    ),
  };
}

function deprecationNote({ deprecated }: Route): string | undefined {
  return (
    deprecated &&
    `Deprecated since ${deprecated.since}; removed no earlier than ${deprecated.sunset}. ${deprecated.instead}`
  );
}

/** Every role may read. */
function roleNote({ action = "read" }: Route): string {
  const minRole = minRoles[action];
  return action === "read" ? "" : ` and the role \`${minRole}\`${minRole === "owner" ? "" : " or higher"}`;
}

function operation(route: Route, schemas: JsonSchemas): object {
  const body = requestBody(route, schemas);
  return {
    operationId: route.operationId,
    summary: route.summary,
    ...(route.deprecated && { deprecated: true }),
    description: [route.description, deprecationNote(route), `Needs the scope \`${route.scope}\`${roleNote(route)}.`]
      .filter(Boolean)
      .join("\n\n"),
    tags: [route.tag],
    parameters: operationParameters(route),
    ...(body && { requestBody: body }),
    responses: operationResponses(route, schemas),
  };
}

/** The OpenAPI 3.1 description of the operations, made from the definitions that serve them. */
export function buildOpenApi(routes: readonly Route[], baseUrl: string): Readonly<Record<string, unknown>> {
  const schemas = new JsonSchemas();
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: operation(route, schemas) };
  }
  const notification = schemas.add(NotificationDocument, "output");
  for (const schema of Object.values(resourceSchemas)) schemas.add(schema, "output");
  const errors = schemas.add(ErrorDocument, "output");
  return {
    openapi: "3.1.0",
    info: {
      title: "Shipment Tracking Service API",
      version: apiVersion,
      description: introduction,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: baseUrl }],
    security: [{ token: [] }],
    tags: tags.map(([name, description]) => ({ name, description })),
    paths,
    webhooks: {
      notification: {
        post: {
          operationId: "receiveNotification",
          summary: "Receive a notification",
          description:
            "Respond with 200, 201, 202 or 204. A notification can be delivered more than once: deduplicate by data.id.",
          tags: ["Webhooks"],
          security: [],
          requestBody: { required: true, content: { [jsonMediaType]: { schema: notification } } },
          responses: {
            200: { description: "Received." },
            410: { description: "Permanently gone: the webhook is disabled." },
          },
        },
      },
    },
    components: {
      securitySchemes: {
        token: {
          type: "apiKey",
          in: "header",
          name: "Authorization",
          description: "`Token <API_KEY>`. `Bearer <API_KEY>` is also accepted.",
        },
      },
      parameters: sharedParameters(Object.keys(resourceSchemas) as ResourceType[]),
      headers: sharedHeaders,
      responses: sharedResponses(errors),
      schemas: Object.fromEntries(Object.entries(schemas.components).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}
