import { compareText, type Instant, localDateOrUtc, plural } from "@svc/domain";
import { arrivesSeparately, containerAta } from "@svc/domain/shipments";
import { type Html, html, localTime } from "@svc/views";
import type { ContainerRecord, ShipmentRecord } from "./api-records.ts";

/** Containers of a split shipment that arrive on the same day on the same vessel. */
interface ArrivalGroup {
  readonly count: number;
  /** "EVER GIVEN 034E"; null: not reported. */
  readonly vessel: string | null;
  /** The latest of them. */
  readonly at: Instant;
  readonly hasArrived: boolean;
}

/** Further groups are counted. */
const groupsMax = 4;

const vesselLabel = ({ podVesselName: name, podVoyageNumber: voyage }: ContainerRecord): string | null =>
  [name, voyage].filter((part) => part !== null).join(" ") || null;

/** Groups the containers that arrive separately by vessel and day, the earliest first. */
function arrivalGroups(containers: readonly ContainerRecord[], zone: string | null): readonly ArrivalGroup[] {
  const arrivals = containers.filter(arrivesSeparately).flatMap((container) => {
    const [ata, vessel] = [containerAta(container), vesselLabel(container)];
    const at = ata ?? container.podEtaAt;
    return at === null ? [] : [{ vessel, at, hasArrived: ata !== null }];
  });
  const keyOf = ({ vessel, at, hasArrived }: (typeof arrivals)[number]) =>
    `${vessel} ${hasArrived} ${localDateOrUtc(at, zone)}`;
  return [...Map.groupBy(arrivals.toSorted(byTime), keyOf).values()].flatMap((group) => {
    const last = group.at(-1);
    return last === undefined ? [] : [{ ...last, count: group.length }];
  });
}

const byTime = (one: { readonly at: Instant }, other: { readonly at: Instant }) => compareText(one.at, other.at);

/** The vessels on which containers that arrive separately reach the port of discharge. */
export const separateVessels = (containers: readonly ContainerRecord[]): readonly string[] => [
  ...new Set(containers.filter(arrivesSeparately).flatMap((container) => vesselLabel(container) ?? [])),
];

/** Renders that the containers travel separately, with vessel and arrival of each group; null: there is one group. */
export function separateArrivalsNote(
  containers: readonly ContainerRecord[],
  { portOfDischarge }: Pick<ShipmentRecord, "portOfDischarge">,
): Html | null {
  const zone = portOfDischarge?.timeZone ?? null;
  const groups = arrivalGroups(containers, zone);
  if (groups.length < 2) return null;
  const listed = groups.slice(0, groupsMax).map(({ count, vessel, at, hasArrived }, index) => {
    return html`${index > 0 && "; "}${count}${vessel && html` on ${vessel}`} ${
      hasArrived ? "arrived" : plural(count, "arrives", "arrive")
    } ${localTime(at, zone, "date_only")}`;
  });
  const others = groups.slice(groupsMax).reduce((sum, { count }) => sum + count, 0);
  return html`<p>The containers travel separately: ${listed}${others > 0 && `; ${others} at other times`}.</p>`;
}
