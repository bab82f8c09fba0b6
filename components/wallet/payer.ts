/** Decides who signs on a network: the connected account, or a burner that is connected when needed. */
import type { UseConnectionReturnType } from "wagmi";
import { isMainnetSimulation, type PageNetwork } from "@/lib/networks";
import { burnerConnectorId } from "./burnerConnector";

/** Whether the connected wallet must not sign on this network. */
export function isWalletBarred(connection: UseConnectionReturnType, network: PageNetwork): boolean {
  return (
    connection.status === "connected" && connection.connector.id !== burnerConnectorId && isMainnetSimulation(network)
  );
}

/** Whether a burner must be connected before anything can be signed. */
export function needsBurner(connection: UseConnectionReturnType, network: PageNetwork): boolean {
  return network.embedded && (connection.status === "disconnected" || isWalletBarred(connection, network));
}
