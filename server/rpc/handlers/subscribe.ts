/** Subscriptions on the connection that carried the request. Without an open connection they are refused. */
import type { LogFilterInput } from "@/lib/rpc/inputs";
import type { Handler, RpcContext } from "@/server/rpc/context";
import { toNeedsWebSocket } from "@/server/rpc/errors";

const everyLog: LogFilterInput = { range: { from: undefined, to: undefined }, addresses: undefined, topics: [] };

function getSubscriber({ caller }: RpcContext, method: string) {
  if (!caller.subscriber) throw toNeedsWebSocket(method);
  return caller.subscriber;
}

/** The schema has already checked that the option fits the kind. */
export const eth_subscribe: Handler<"eth_subscribe"> = (context, kind, option) => {
  const subscriber = getSubscriber(context, "eth_subscribe");
  if (kind === "newHeads") return subscriber.add({ kind });
  if (kind === "logs")
    return subscriber.add({ kind, filter: typeof option === "object" ? (option ?? everyLog) : everyLog });
  return subscriber.add({ kind, full: option === true });
};

export const eth_unsubscribe: Handler<"eth_unsubscribe"> = (context, id) =>
  getSubscriber(context, "eth_unsubscribe").remove(id);
