/** Marks of the map of all places, alike in the server's drawing and in the script's. Sizes are in pixels. */

/** Places that are nearer to each other become one mark with their number of containers, up to a zoom. */
export const clusterRadius = 44;
export const clusterMaxZoom = 6;

/** Share of the containers from which on a state gives the mark its colour. A badge shows that there are any. */
export const colouringShare = 0.25;

/** Paths of the shapes. A vessel points north. */
export const shapes = {
  vessel: "M0-10 7 8 0 4-7 8z",
  place: "M-6-6H6V6H-6z",
  exception: "M0-6 6.5 5H-6.5z",
  late: "M0-6 6 0 0 6-6 0z",
} as const;

/** Radius of a cluster's mark, and how far its badge is to the right and above. */
export interface MarkSize {
  readonly radius: number;
  readonly corner: number;
}

export const smallestMark: MarkSize = { radius: 13, corner: 10 };
/** Sizes of marks by minimum number of containers. */
export const largerMarks: readonly (readonly [containers: number, size: MarkSize])[] = [
  [10, { radius: 16, corner: 12 }],
  [100, { radius: 20, corner: 15 }],
  [1_000, { radius: 25, corner: 18 }],
];

/** Names of places that stand alone: their size, and how far their upper edge is below the place, in ems. */
export const nameSize = 11;
export const nameOffset = 1.1;
