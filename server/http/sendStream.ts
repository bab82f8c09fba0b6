/**
 * An answer whose end is not known when it begins, to a connection that may read slowly or go away.
 */
import type { Writable } from "node:stream";

/**
 * Writes what the stream gives, as fast as the sink takes it, and resolves at its end. A sink that closes cancels the
 * stream. Rejects with the stream's own failure; ending the sink is the caller's.
 */
export async function sendStream(sink: Writable, stream: ReadableStream<Uint8Array>): Promise<void> {
  const reader = stream.getReader();
  let resume: () => void = () => undefined;
  const onDrain = () => resume();
  const onClose = () => {
    void reader.cancel().catch(() => undefined);
    resume();
  };
  sink.on("drain", onDrain);
  sink.on("close", onClose);
  try {
    while (!sink.destroyed) {
      const { done, value } = await reader.read();
      if (done) return;
      // A caller that does not read stops us here, the stream's own bound then drops it.
      if (sink.write(value) || sink.destroyed) continue;
      await new Promise<void>((resolve) => {
        resume = resolve;
      });
    }
    await reader.cancel();
  } finally {
    sink.off("drain", onDrain);
    sink.off("close", onClose);
  }
}
