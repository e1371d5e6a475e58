/** docs/contract/specification.md versioning.2. Shown in API-Version and in the OpenAPI document. */
export const apiVersion = "0.2.0";
