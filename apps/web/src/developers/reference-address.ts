/** Of the page that describes the API for people: beside its /v2, not below it. */
export const referenceAddress = (apiBaseUrl: string): string => `${apiBaseUrl.replace(/\/v2$/, "")}/docs`;
