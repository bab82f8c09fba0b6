/**
 * Calls a method over the network's WebSocket. A subscription's events then arrive over the same connection until it is
 * closed.
 */
import { type RpcAnswer, type RpcCall, readAnswers } from "@/components/console/callRequest";
import { type Network, toRpcPath } from "@/lib/networks";

export const socketClosedText = "The WebSocket closed before the response arrived.";

export type SocketCall = {
  /**
   * Resolves with the response to each call, in order. Rejects with an error whose message can be shown to the user.
   */
  answers: Promise<{ answers: RpcAnswer[]; texts: string[] }>;
  close(): void;
};

/**
 * Sends the calls one after another. Each call is built from the responses to the calls before it. `onEvent` gets every
 * notification. `onClose` is called once, whichever side closes the connection.
 */
export function openSocketCall(
  network: Network,
  calls: readonly ((before: RpcAnswer[]) => RpcCall)[],
  onEvent: (event: unknown) => void,
  onClose: () => void,
): SocketCall {
  const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}${toRpcPath(network)}`);
  const answers = new Promise<{ answers: RpcAnswer[]; texts: string[] }>((resolve, reject) => {
    const given: RpcAnswer[] = [];
    const texts: string[] = [];
    const sendNext = () => {
      const next = calls[given.length];
      if (!next) return resolve({ answers: given, texts });
      socket.send(JSON.stringify({ jsonrpc: "2.0", id: given.length + 1, ...next(given) }));
    };
    socket.addEventListener("open", sendNext);
    socket.addEventListener("message", ({ data }) => {
      const text = String(data);
      const message = JSON.parse(text) as { method?: string; params?: { result?: unknown } };
      if (message.method !== undefined) return onEvent(message.params?.result);
      given.push(...readAnswers(text, 1));
      texts.push(text);
      sendNext();
    });
    socket.addEventListener("close", () => {
      reject(new Error(socketClosedText));
      onClose();
    });
  });
  return { answers, close: () => socket.close() };
}
