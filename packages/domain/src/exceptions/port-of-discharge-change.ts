import type { PlaceDirectory } from "../derivation/place-directory.ts";
import { resolveRetractions } from "../derivation/resolve-retractions.ts";
import { toSourceEvents } from "../derivation/source-event.ts";
import type { NamedPlace } from "../eta-changes/planned-voyage.ts";
import type { Observation } from "../observations/observation.ts";

export interface PortOfDischargeChange {
  /** Port that was reported first. */
  readonly previousPlace: NamedPlace;
  readonly place: NamedPlace;
}

/**
 * The port of discharge, where it is another one than was reported first. Null: it is the same, or the container still
 * sails on from the first one, which was only as far as its route was known. `ports`: UN/LOCODEs, null while unknown.
 */
export function portOfDischargeChange(
  ports: { readonly first: string | null; readonly present: string | null },
  vesselMoves: readonly Observation[],
  places: PlaceDirectory,
): PortOfDischargeChange | null {
  const [first, present] = [ports.first, ports.present].map((one) => one && places.canonicalLocode(one));
  if (!first || !present || first === present) return null;
  const { current } = resolveRetractions(toSourceEvents(vesselMoves, places));
  const sailsOn = current.some(
    ({ place, mode, observation: { code } }) =>
      place === first && (mode === "VESSEL" || mode === "BARGE") && (code === "DEPA" || code === "LOAD"),
  );
  const named = (locode: string): NamedPlace => ({ locode, name: places.nameOf(locode) });
  return sailsOn ? null : { previousPlace: named(first), place: named(present) };
}
