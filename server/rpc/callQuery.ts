/** Converts a request's call object to the call that the chain executes. */
import type { CallInput } from "@/lib/rpc/inputs";
import type { CallQuery } from "@/server/chain/calls";
import type { BlockRef } from "@/server/ethereum/types";

type Overrides = {
  stateOverrides?: CallQuery["stateOverrides"] | null | undefined;
  blockOverrides?: CallQuery["blockOverrides"] | null | undefined;
};

/** type is redundant: the fee fields determine it. */
export function toQuery({ type: _, ...call }: CallInput, block: BlockRef, overrides: Overrides = {}): CallQuery {
  const { stateOverrides, blockOverrides } = overrides;
  return {
    call,
    block,
    ...(stateOverrides ? { stateOverrides } : {}),
    ...(blockOverrides ? { blockOverrides } : {}),
  };
}
