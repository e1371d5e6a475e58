/** A LIKE pattern for texts that contain `text`, whose own wildcards mean themselves. */
export const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`;
