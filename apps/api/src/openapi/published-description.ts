/** docs/contract/specification.md versioning.2. Shown in API-Version and in the OpenAPI document. */
export const apiVersion = "0.2.0";

/** Address of the reference page: beside the version prefix of the API's own address. */
export const docsAddress = (baseUrl: string): string => new URL("docs", baseUrl).href;

/** The file of the description in the repository. */
export const committedOpenApi = new URL("../../../../docs/api/openapi.json", import.meta.url);

/** docs/contract/decisions.md 1. */
export const defaultBaseUrl = "http://localhost:4000/v2";
