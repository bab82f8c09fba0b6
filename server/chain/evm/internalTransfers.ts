/**
 * What moves inside the transactions of a block: value that one contract sends or leaves behind, and contracts that it
 * creates. Listens to message calls and to SELFDESTRUCT alone, never to single steps, so that executing a block costs
 * the same. What a failed frame did is dropped with it.
 */
import type { EVM, EVMResult, Message } from "@ethereumjs/evm";
import { toHex } from "@/server/chain/codec/bytes";
import type { Engine } from "@/server/chain/evm/engine";
import type { Address, InternalTransfer } from "@/server/chain/types";

export type InternalTransfers = {
  /** What was collected since the last time. */
  take(): InternalTransfer[];
  close(): void;
};

/** Where in the list a frame's own transfers begin, and the frame itself where it is one. */
type Frame = { first: number; transfer: InternalTransfer | undefined };

/** Listens from now on to every transaction that the engine runs. */
export function collectInternalTransfers({ evm }: Engine): InternalTransfers {
  const { events } = evm;
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

  const restore = hearSelfDestructs(evm, (transfer) => found.push(transfer));
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
      restore();
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

const selfDestruct = 0xff;

/** What of the engine's own state the opcode sees: the word on top of the stack, and whose frame it is. */
type RunState = {
  stack: { peek(count: number): bigint[] };
  env: { address: { bytes: Uint8Array }; contract: { balance: bigint } };
};
type Handler = (runState: RunState, common: unknown) => unknown;

/**
 * Hears of every SELFDESTRUCT that leaves value to somebody else. The opcode is no message and the engine tells of it
 * only step by step, so its handler is wrapped: it runs once the gas is paid and the context is known to allow it.
 */
function hearSelfDestructs(evm: EVM, onTransfer: (transfer: InternalTransfer) => void): () => void {
  const entry = (evm as unknown as { _opcodeMap: { opHandler: Handler }[] })._opcodeMap[selfDestruct]!;
  const { opHandler } = entry;
  entry.opHandler = (runState, common) => {
    const { address, contract } = runState.env;
    const [heir = 0n] = runState.stack.peek(1);
    const from = toHex(address.bytes);
    const to: Address = `0x${BigInt.asUintN(160, heir).toString(16).padStart(40, "0")}`;
    if (contract.balance > 0n && to !== from) {
      onTransfer({ kind: "selfdestruct", from, to, value: contract.balance });
    }
    return opHandler(runState, common);
  };
  return () => {
    entry.opHandler = opHandler;
  };
}
