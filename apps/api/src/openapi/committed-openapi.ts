/** Where the description is kept in the repository. */
export const committedOpenApi = new URL("../../../../docs/api/openapi.json", import.meta.url);

/** docs/contract/decisions.md 1. */
export const defaultBaseUrl = "http://localhost:4000/v2";
