/** Address of the reference page: beside the version prefix of the API's own address. */
export const docsAddress = (baseUrl: string): string => new URL("docs", baseUrl).href;
