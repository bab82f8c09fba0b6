/** Converts the call object in a request to the form in which the chain executes calls. */
import type { CallInput } from "@/lib/rpc/inputs";
import type { CallQuery, CallRequest } from "@/server/chain/calls";
import type { BlockRef } from "@/server/ethereum/types";

type Overrides = {
  stateOverrides?: CallQuery["stateOverrides"] | null | undefined;
  blockOverrides?: CallQuery["blockOverrides"] | null | undefined;
};

/** Drops `type` and `data`, which are redundant: the fee fields determine the type, and `input` contains the data. */
export function toRequest({ type: _, data: __, ...call }: CallInput): CallRequest {
  return call;
}

export function toQuery(call: CallInput, block: BlockRef, overrides: Overrides = {}): CallQuery {
  const { stateOverrides, blockOverrides } = overrides;
  return {
    call: toRequest(call),
    block,
    ...(stateOverrides ? { stateOverrides } : {}),
    ...(blockOverrides ? { blockOverrides } : {}),
  };
}
