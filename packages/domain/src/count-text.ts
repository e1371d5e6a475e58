/** "container" for a count of 1, else "containers", or `many`. */
export const plural = (count: number, one: string, many = `${one}s`): string => (count === 1 ? one : many);

/** "1 container", "2 containers". */
export const countText = (count: number, noun: string): string => `${count} ${plural(count, noun)}`;
