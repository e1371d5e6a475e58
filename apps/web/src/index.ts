export { createWeb } from "./create-web.ts";
export type { AccountHandler } from "./http/handler.ts";
export { prefersJson } from "./http/read-request.ts";
export type { WebOptions } from "./web-options.ts";
