import type { Tool } from "../tools/shared/define-tool.ts";
import { getContainerMap } from "./get-container-map.ts";
import type { viewUris } from "./views.ts";

/** The tools whose results a view shows. */
export const viewByTool: ReadonlyMap<string, keyof typeof viewUris> = new Map([
  ["get_container", "container"],
  ["list_shipments", "board"],
]);

/** Tools that views call and no model. Only clients that show views get them listed. */
export const viewTools: readonly Tool[] = [getContainerMap];
