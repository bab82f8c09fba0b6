import type { Handler } from "@/server/rpc/context";
import { listLogs } from "@/server/rpc/listLogs";

export const eth_getLogs: Handler<"eth_getLogs"> = (context, filter) => listLogs(context, filter);
