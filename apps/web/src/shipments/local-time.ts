/** Times of places. The zone that the reader chose is set in times/reader-zone.ts. */
export { compactTime, dayMark, localTime, localTimeText, shortTimeText } from "@svc/views";
