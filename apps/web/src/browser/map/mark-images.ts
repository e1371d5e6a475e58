import { shapes } from "@svc/views/world-marks";
import type { MapColours } from "./map-colours.ts";

/** Images are drawn for screens with two pixels per unit. */
export const pixelRatio = 2;

type Draw = (context: CanvasRenderingContext2D) => void;

function createImage(size: number, draw: Draw): ImageData {
  const canvas = document.createElement("canvas");
  canvas.width = size * pixelRatio;
  canvas.height = size * pixelRatio;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) throw new Error("The browser has no 2D canvas.");
  context.scale(pixelRatio, pixelRatio);
  context.translate(size / 2, size / 2);
  context.lineJoin = "round";
  draw(context);
  return context.getImageData(0, 0, canvas.width, canvas.height);
}

function shape(context: CanvasRenderingContext2D, path: string, fill: string, edge: string): void {
  const line = new Path2D(path);
  context.lineWidth = 3;
  context.strokeStyle = edge;
  context.stroke(line);
  context.fillStyle = fill;
  context.fill(line);
}

/**
 * The marks by name: a vessel that points north and a place in each colour, and the badges that show a state by their
 * shape.
 */
export function markImages({ accent, bad, late, card }: MapColours): Readonly<Record<string, ImageData>> {
  const states = { usual: accent, late, exception: bad };
  const marks = Object.entries(states).flatMap(([state, colour]) => [
    [`vessel-${state}`, createImage(26, (context) => shape(context, shapes.vessel, colour, card))] as const,
    [`place-${state}`, createImage(22, (context) => shape(context, shapes.place, colour, card))] as const,
  ]);
  const exception: Draw = (context) => {
    shape(context, shapes.exception, bad, card);
    context.fillStyle = card;
    context.fillRect(-0.8, -2.6, 1.6, 4);
    context.fillRect(-0.8, 2.4, 1.6, 1.6);
  };
  const diamond: Draw = (context) => shape(context, shapes.late, late, card);
  return {
    ...Object.fromEntries(marks),
    "badge-exception": createImage(18, exception),
    "badge-late": createImage(18, diamond),
  };
}
