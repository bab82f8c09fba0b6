/**
 * Subscriptions that send events on the request's connection. They are rejected if the connection doesn't stay open.
 */
import type { LogFilterInput } from "@/lib/rpc/inputs";
import { toNeedsWebSocket } from "@/server/rpc/errors";
import { type Caller, handlers } from "@/server/rpc/ports";

const everyLog: LogFilterInput = { range: { from: undefined, to: undefined }, addresses: undefined, topics: [] };

function getSubscriber({ caller }: { caller: Caller }, method: string) {
  if (!caller.subscriber) throw toNeedsWebSocket(method);
  return caller.subscriber;
}

export const subscribeHandlers = handlers(["events"], {
  /** The schema has already checked that the option is valid for this kind of subscription. */
  eth_subscribe: (context, kind, option) => {
    const subscriber = getSubscriber(context, "eth_subscribe");
    if (kind === "newHeads") return subscriber.add({ kind });
    if (kind === "logs")
      return subscriber.add({ kind, filter: typeof option === "object" ? (option ?? everyLog) : everyLog });
    return subscriber.add({ kind, full: option === true });
  },

  eth_unsubscribe: (context, id) => getSubscriber(context, "eth_unsubscribe").remove(id),
});
