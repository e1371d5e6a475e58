/** A LIKE pattern for texts that contain `text`, with its wildcards escaped. */
export const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`;

/** A LIKE pattern for texts that begin with `text`. */
export const beginningPattern = (text: string): string => likePattern(text).slice(1);
