/** Happens on a live page after it was looked at anew, for what works on its elements. */
export const updated = "svc:updated";

/** Happens when a live page shows something else, of another address. */
export const replaced = "svc:replaced";
