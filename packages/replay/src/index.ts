export type { Difference } from "./difference.ts";
export { verify } from "./verify.ts";
