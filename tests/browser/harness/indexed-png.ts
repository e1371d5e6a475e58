import { crc32, deflateSync } from "node:zlib";
import type { PNG } from "pngjs";

const colours = 256;
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const [bitDepth, indexed] = [8, 3];

function chunk(type: string, data: Uint8Array): Buffer {
  const content = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, checksum]);
}

function nearest(palette: readonly number[], colour: number): number {
  const distance = (other: number): number =>
    [0, 8, 16].reduce((sum, shift) => sum + (((colour >> shift) & 255) - ((other >> shift) & 255)) ** 2, 0);
  let best = 0;
  for (let index = 1; index < palette.length; index += 1) {
    if (distance(palette[index] ?? 0) < distance(palette[best] ?? 0)) best = index;
  }
  return best;
}

/**
 * An opaque picture as a PNG with a palette of its most frequent colours, which pngjs does not write: a third of the
 * size. The others, pixels of smoothed edges and shadows, get the nearest colour of the palette.
 */
export function encodeIndexed({ width, height, data }: PNG): Buffer {
  const pixels = Array.from({ length: width * height }, (_, index) => data.readUIntBE(index * 4, 3));
  const counts = new Map<number, number>();
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const palette = [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, colours)
    .map(([colour]) => colour);
  const indices = new Map(palette.map((colour, index) => [colour, index]));
  // Each row begins with the number of its filter, 0: none.
  const rows = Buffer.alloc((width + 1) * height);
  for (const [at, colour] of pixels.entries()) {
    const index = indices.get(colour) ?? nearest(palette, colour);
    indices.set(colour, index);
    rows[at + Math.floor(at / width) + 1] = index;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bitDepth, indexed], 8);
  const table = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  const image = deflateSync(rows, { level: 9, memLevel: 9 });
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("PLTE", table),
    chunk("IDAT", image),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
