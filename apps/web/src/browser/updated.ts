/** Event of a live page after it was polled, for code that works on its elements. */
export const updated = "svc:updated";

/** Event of a live page when it shows the content of another URL. */
export const replaced = "svc:replaced";
