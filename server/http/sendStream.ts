/** Sends a response of unknown length to a caller that may read slowly or disconnect. */
import type { Writable } from "node:stream";

/**
 * Writes the stream as fast as the sink accepts data, and resolves when the stream ends. Cancels the stream if the sink
 * closes. Rejects with the stream's error; the caller must end the sink.
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
      // If the sink's buffer is full, waits until the caller reads more or the connection closes.
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
