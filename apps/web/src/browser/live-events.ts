/** Event of a live page after it was polled, for code that works on its elements. */
export const pageUpdatedEvent = "svc:updated";

/** Event of a live page when it shows the content of another URL. */
export const pageReplacedEvent = "svc:replaced";
