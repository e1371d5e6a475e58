export { type AccountRoute, createWeb, type WebOptions } from "./create-web.ts";
export { prefersJson } from "./http/read-request.ts";
