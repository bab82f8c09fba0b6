/**
 * Splits a file of concatenated RLP items, such as a chain that geth exported. Keeps only one item in memory at a time.
 */
import { open } from "node:fs/promises";

const chunkBytes = 1 << 20;
/** This is far larger than any block, so a longer item means that the file is damaged. */
const maxItemBytes = 64 << 20;

/** Thrown if the file is truncated or isn't RLP. The message includes the offset. */
class DamagedFileError extends Error {
  override name = "DamagedFileError";
  readonly code = "DAMAGED_FILE";
}

export async function* readRlpItems(file: string): AsyncGenerator<Uint8Array> {
  const handle = await open(file, "r");
  try {
    let held: Uint8Array = new Uint8Array(0);
    let offset = 0;
    while (true) {
      const length = findItemLength(held);
      if (length !== undefined && length > maxItemBytes) {
        throw new DamagedFileError(`The data at byte ${offset} of ${file} is not a block.`);
      }
      if (length !== undefined && held.length >= length) {
        yield held.slice(0, length);
        held = held.subarray(length);
        offset += length;
        continue;
      }
      const chunk = Buffer.alloc(chunkBytes);
      const { bytesRead } = await handle.read(chunk, 0, chunkBytes, null);
      if (bytesRead === 0) {
        if (held.length > 0) throw new DamagedFileError(`The block at byte ${offset} of ${file} is truncated.`);
        return;
      }
      held = Buffer.concat([held, chunk.subarray(0, bytesRead)]);
    }
  } finally {
    await handle.close();
  }
}

/**
 * Returns the length of the item that starts here, including its prefix. Returns undefined if the prefix is incomplete.
 */
function findItemLength(bytes: Uint8Array): number | undefined {
  const [first] = bytes;
  if (first === undefined) return undefined;
  if (first < 0x80) return 1;
  const isList = first >= 0xc0;
  const short = first - (isList ? 0xc0 : 0x80);
  if (short <= 55) return 1 + short;
  const sizeBytes = short - 55;
  if (bytes.length < 1 + sizeBytes) return undefined;
  let size = 0;
  for (const byte of bytes.subarray(1, 1 + sizeBytes)) size = size * 256 + byte;
  return 1 + sizeBytes + size;
}
