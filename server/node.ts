/**
 * Composition root: builds one Node from a configuration and closes it. Decides nothing itself.
 */
import type { Chain } from "@/server/chain/chain";
import type { Config, NetworkConfig } from "@/server/config";
import type { HttpHandler } from "@/server/http/types";

/** EIP-1193 request function; rejects with an error that carries code and data as JSON-RPC gives them. */
export type Request = (args: { method: string; params?: readonly unknown[] | object }) => Promise<unknown>;

export type NetworkNode = {
  network: NetworkConfig;
  chain: Chain;
  /** The JSON-RPC surface in process. */
  request: Request;
};

export type Node = {
  config: Config;
  /** By name, in configuration order; the first is the default. */
  networks: Map<string, NetworkNode>;
  /** By name or decimal chain id. */
  findNetwork(nameOrChainId: string): NetworkNode | undefined;
  /** Every /api path of the node; undefined where a path is not ours. */
  findHandler(method: string, path: string): HttpHandler | undefined;
  close(): Promise<void>;
};
