export { serveTestApi } from "./serve-test-api.ts";
