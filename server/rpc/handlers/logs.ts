import { listLogs } from "@/server/rpc/listLogs";
import { handler } from "@/server/rpc/ports";

export const eth_getLogs = handler("eth_getLogs", ["chain", "blocks"], (context, filter) => listLogs(context, filter));
