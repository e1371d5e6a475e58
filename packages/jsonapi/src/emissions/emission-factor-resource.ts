import { type EmissionFactor, emissionFactorFields } from "@svc/domain/emissions";
import type { z } from "zod";
import { omitted, wireAttributes } from "../records/wire-attributes.ts";
import { resourceObject } from "../resource.ts";

const attributes = wireAttributes(emissionFactorFields, { id: omitted, rowVersion: omitted });

/** docs/emissions.md. */
export const EmissionFactorResource = resourceObject("emission_factor", attributes.shape, {})
  .omit({ relationships: true })
  .meta({ id: "EmissionFactor" });

export type EmissionFactorResource = z.infer<typeof EmissionFactorResource>;

export function emissionFactorResource(factor: EmissionFactor, baseUrl: string): EmissionFactorResource {
  return {
    id: factor.id,
    type: "emission_factor",
    attributes: attributes.of(factor),
    links: { self: `${baseUrl}/emission_factors/${factor.id}` },
  };
}
