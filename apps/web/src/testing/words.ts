/** The words of a page or a part of one, without its markup, one space between any two. */
export const words = (markup: string): string => markup.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
