/**
 * What the main process and a reader say to each other over the channel that node:child_process gives them. Connections
 * travel beside the message that announces them.
 */
import type { ExecutorStatistics } from "@/server/chain/evm/executor";
import type { MethodCounts } from "@/server/rpc/statistics";

/** What a reader counted of one network since it told it before, and what its workers do now. */
export type Figures = { network: string; methods: MethodCounts[]; executor: ExecutorStatistics };

export type ToReader =
  /** First of all. socket is the reader's own path to listen at, main the main process's. */
  | { kind: "open"; socket: string; main: { path: string; secret: string } }
  | { kind: "connection" }
  /** No connection follows: answer what is under way and end. */
  | { kind: "close" };

export type ToMain =
  | { kind: "ready" }
  /** So many connections ended. */
  | { kind: "ended"; connections: number }
  | { kind: "figures"; figures: Figures[] };
