/**
 * Combines PNGs of the same size into an animated PNG, which plays in browsers and READMEs. The compressed pixels are
 * copied unchanged; only the chunks around them are rewritten.
 */
import { crc32 } from "node:zlib";

export type Frame = { png: Buffer; showMs: number };

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function toChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

function* readChunks(png: Buffer): Generator<{ type: string; data: Buffer }> {
  if (!png.subarray(0, 8).equals(signature)) throw new Error("A frame is not a PNG.");
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    yield { type: png.toString("latin1", at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) };
    at += length + 12;
  }
}

function uint32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
}

/**
 * Returns an APNG that loops through the frames. Throws if a frame's size or pixel format differs from the first
 * frame's.
 */
export function toAnimatedPng(frames: readonly Frame[]): Buffer {
  let header: Buffer | undefined;
  let sequence = 0;
  const parts: Buffer[] = [];
  for (const [index, { png, showMs }] of frames.entries()) {
    const chunks = [...readChunks(png)];
    const own = chunks.find(({ type }) => type === "IHDR")!.data;
    header ??= own;
    if (!own.equals(header)) throw new Error("The frames differ in size or pixel format.");
    // The frame has the full width and height, no offset, and a delay in milliseconds. It completely replaces the frame
    // before it.
    const control = Buffer.concat([uint32(sequence++), own.subarray(0, 8), uint32(0, 0), Buffer.alloc(6)]);
    control.writeUInt16BE(showMs, 20);
    control.writeUInt16BE(1000, 22);
    parts.push(toChunk("fcTL", control));
    for (const { type, data } of chunks) {
      if (type !== "IDAT") continue;
      // The first frame is stored in IDAT, which viewers without animation support show.
      parts.push(index === 0 ? toChunk("IDAT", data) : toChunk("fdAT", Buffer.concat([uint32(sequence++), data])));
    }
  }
  if (!header) throw new Error("An animation needs at least one frame.");
  return Buffer.concat([
    signature,
    toChunk("IHDR", header),
    toChunk("acTL", uint32(frames.length, 0)),
    ...parts,
    toChunk("IEND", Buffer.alloc(0)),
  ]);
}
