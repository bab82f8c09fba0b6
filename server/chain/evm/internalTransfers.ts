/**
 * What moves inside the transactions of a block: value that one contract sends and contracts that it creates. Listens to
 * message calls alone, never to single steps, so that executing a block costs the same. What a failed frame did is
 * dropped with it; what SELFDESTRUCT hands over is not a message and shows in traces only.
 */
import type { EVMResult, Message } from "@ethereumjs/evm";
import { toHex } from "@/server/chain/codec/bytes";
import type { Engine } from "@/server/chain/evm/engine";
import type { InternalTransfer } from "@/server/chain/types";

export type InternalTransfers = {
  /** What was collected since the last time. */
  take(): InternalTransfer[];
  close(): void;
};

/** Where in the list a frame's own transfers begin, and the frame itself where it is one. */
type Frame = { first: number; transfer: InternalTransfer | undefined };

/** Listens from now on to every transaction that the engine runs. */
export function collectInternalTransfers({ evm: { events } }: Engine): InternalTransfers {
  const open: Frame[] = [];
  let found: InternalTransfer[] = [];

  function onBefore(message: Message): void {
    const transfer = open.length === 0 ? undefined : findTransfer(message);
    open.push({ first: found.length, transfer });
    if (transfer) found.push(transfer);
  }

  function onAfter({ execResult, createdAddress }: EVMResult): void {
    const frame = open.pop();
    if (!frame) return;
    if (execResult.exceptionError) found.length = frame.first;
    else if (createdAddress && frame.transfer) frame.transfer.to = toHex(createdAddress.bytes);
  }

  events.on("beforeMessage", onBefore);
  events.on("afterMessage", onAfter);
  return {
    take() {
      const taken = found;
      found = [];
      open.length = 0;
      return taken;
    },
    close() {
      events.off("beforeMessage", onBefore);
      events.off("afterMessage", onAfter);
    },
  };
}

function findTransfer({ caller, to, value, salt, delegatecall }: Message): InternalTransfer | undefined {
  const from = toHex(caller.bytes);
  if (!to) return { kind: salt ? "create2" : "create", from, to: "0x", value };
  // A delegate call carries the value of the call around it; CALLCODE pays the contract with its own money.
  if (delegatecall || value === 0n || caller.equals(to)) return undefined;
  return { kind: "call", from, to: toHex(to.bytes), value };
}
