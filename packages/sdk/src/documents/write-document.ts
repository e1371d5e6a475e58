import { snakeCase } from "@svc/domain";

/** The members with the names that they have on the wire (`freeDays` is `free_days`); values stay as they are. */
export const wireNames = (members: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [snakeCase(name), value]));

/** The body of a write of one resource; its id is absent when it is created. */
export const writeDocument = (type: string, id: string | undefined, attributes: object) => ({
  data: { type, ...(id !== undefined && { id }), attributes: wireNames(attributes) },
});
