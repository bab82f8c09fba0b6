/** Subscriptions on the connection that carried the request. Without an open connection they are refused. */
import type { LogFilterInput } from "@/lib/rpc/inputs";
import { toNeedsWebSocket } from "@/server/rpc/errors";
import { type Caller, handler } from "@/server/rpc/ports";

const everyLog: LogFilterInput = { range: { from: undefined, to: undefined }, addresses: undefined, topics: [] };

function getSubscriber({ caller }: { caller: Caller }, method: string) {
  if (!caller.subscriber) throw toNeedsWebSocket(method);
  return caller.subscriber;
}

/** The schema has already checked that the option fits the kind. */
export const eth_subscribe = handler("eth_subscribe", ["events"], (context, kind, option) => {
  const subscriber = getSubscriber(context, "eth_subscribe");
  if (kind === "newHeads") return subscriber.add({ kind });
  if (kind === "logs")
    return subscriber.add({ kind, filter: typeof option === "object" ? (option ?? everyLog) : everyLog });
  return subscriber.add({ kind, full: option === true });
});

export const eth_unsubscribe = handler("eth_unsubscribe", ["events"], (context, id) =>
  getSubscriber(context, "eth_unsubscribe").remove(id),
);
