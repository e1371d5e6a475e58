const format = new Intl.NumberFormat("en-GB");

/** "12,345". */
export const formatNumber = (value: number): string => format.format(value);
