export { type ServedApi, serveTestApi } from "./serve-test-api.ts";
