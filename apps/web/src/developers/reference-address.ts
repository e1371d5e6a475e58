/** URL of the API reference page, which is beside /v2 and not below it. */
export const referenceAddress = (apiBaseUrl: string): string => `${apiBaseUrl.replace(/\/v2$/, "")}/docs`;
