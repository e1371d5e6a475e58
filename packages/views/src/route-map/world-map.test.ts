import { describe, expect, test } from "@jest/globals";
import { fitWorldView, mapSize, project } from "./map-view.ts";
import { type WorldPlace, worldLevels } from "./world-clusters.ts";
import { worldMap } from "./world-map.ts";

const place = (name: string, longitude: number, latitude: number, more: Partial<WorldPlace> = {}): WorldPlace => ({
  name,
  position: [longitude, latitude],
  kind: "place",
  heading: 0,
  count: 1,
  late: 0,
  exceptions: 0,
  ...more,
});
const rotterdam = place("Rotterdam", 4.1, 52, { count: 12, late: 1 });
const antwerp = place("Antwerp", 4.3, 51.3, { count: 3, exceptions: 3 });
const shanghai = place("Shanghai", 121.5, 31.2);
const longBeach = place("Long Beach", -118.2, 33.7);
const viewOfPlaces = (places: readonly WorldPlace[]) =>
  fitWorldView(
    places.map(({ position }) => position),
    null,
  );

describe("the view of a map of all places", () => {
  test("contains every place with a margin, at one of a few widths", () => {
    for (const places of [
      [rotterdam],
      [rotterdam, shanghai],
      [shanghai, longBeach],
      [rotterdam, shanghai, longBeach],
    ]) {
      const view = viewOfPlaces(places);
      expect(mapSize.width / view.unitsPerDegree).toBeCloseTo(360 / 2 ** (view.step / 2));
      for (const { position } of places) {
        const [x, y] = project(view, position);
        expect(x).toBeGreaterThan(mapSize.width * 0.08);
        expect(x).toBeLessThan(mapSize.width * 0.92);
        expect(y).toBeGreaterThan(mapSize.height * 0.08);
        expect(y).toBeLessThan(mapSize.height * 0.92);
      }
    }
  });

  test("is centred on the selected place", () => {
    const [x, y] = project(fitWorldView([rotterdam.position, shanghai.position], shanghai.position), shanghai.position);
    expect(Math.hypot(x - mapSize.width / 2, y - mapSize.height / 2)).toBeLessThan(30);
  });
});

describe("marks", () => {
  test("near places are one mark in small elements, and apart in large ones of a near view", () => {
    const near = [rotterdam, antwerp, place("Hamburg", 9.9, 53.5)];
    const counts = worldLevels(near, viewOfPlaces(near)).map(({ marks }) => marks.length);
    expect(counts[0]).toBe(1);
    expect(counts.at(-1)).toBe(3);
    expect(counts).toEqual(counts.toSorted());
  });

  test("places on both sides of the antimeridian are near to each other, as in the map with zoom", () => {
    const pacific = [place("East", 179.5, 40, { count: 2 }), place("West", -179.5, 40, { late: 1 })];
    const [{ marks } = { marks: [] }] = worldLevels(pacific, viewOfPlaces(pacific));
    expect(new Set(marks.map(({ count, late }) => `${count} ${late}`))).toEqual(new Set(["3 1"]));
  });

  test("a mark has the colour and the badge of its containers, and a place that stands alone its name", () => {
    const places = [rotterdam, antwerp, shanghai, place("SBX A & B", 60, 10, { kind: "vessel", heading: 92.4 })];
    const markup = String(worldMap(places, null, "Map"));
    // 15 containers: a fifth has exceptions, which is less than colours a mark.
    expect(markup).toMatch(
      /class="map-mark usual"[^>]*>\s*<circle r="16"\/><text dy=".35em">15<\/text><g [^>]*><path class="badge exception"/,
    );
    expect(markup).toContain('transform="rotate(92)"');
    expect(markup).toContain(">SBX A &amp; B · 1</text>");
    expect(markup).toContain(">Shanghai · 1</text>");
    expect(markup).not.toContain(">Rotterdam · 12</text>");
  });

  test("a name is left out where it would lie under a cluster", () => {
    const cluster = [place("One", 0, 0), place("Other", 0.1, 0)];
    const isNamed = (latitude: number) => {
      const markup = String(
        worldMap([...cluster, place("SBX CELESTE", 24, latitude), shanghai, longBeach], null, "Map"),
      );
      const [, smallest = ""] = markup.split('<g class="level');
      // Places a turn around the globe away have positions outside of the map.
      return /x="\d\d\.\d+%" y="[^"]*">\s*<path d="[^"]*"\/>\s*<text class="name"[^>]*>SBX CELESTE/.test(smallest);
    };
    expect([isNamed(20), isNamed(-30)]).toEqual([false, true]);
  });

  test("each size of an element shows the marks of one level", () => {
    const places = [rotterdam, shanghai, longBeach];
    const levels = worldLevels(places, viewOfPlaces(places));
    expect(levels[0]?.from).toBeNull();
    expect(levels.at(-1)?.to).toBeNull();
    expect(levels.slice(1).map(({ from }) => from)).toEqual(levels.slice(0, -1).map(({ to }) => to));
  });
});
