/** Applies a call's state overrides, as in geth: before anything runs, to the job's own copy of the state. */
import { toBytes } from "@/server/ethereum/codec/bytes";
import { InvalidTransactionError } from "@/server/ethereum/errors";
import { emptyAccount } from "@/server/ethereum/message";
import type { Address, Hash } from "@/server/ethereum/types";
import type { Budget } from "@/server/evm/budget";
import type { Engine } from "@/server/execution/engine";
import type { AccountOverride, StateOverrides } from "@/server/ports/executor";

/**
 * Applies the overrides to the engine and its state. An override at a precompile's address removes the precompile. If
 * overrides conflict, throws InvalidTransactionError. Also throws any error that the budget throws.
 */
export async function applyOverrides(engine: Engine, overrides: StateOverrides, budget: Budget): Promise<void> {
  const before = engine.precompiles;
  const precompiles = new Map(before);
  const entries = Object.entries(overrides).map(([key, override]): [Address, AccountOverride] => [
    key.toLowerCase() as Address,
    override,
  ]);
  const overridden = new Set(entries.map(([address]) => address));
  for (const [address, override] of entries) {
    budget.giveBack(budget.take());
    if (override.movePrecompileTo !== undefined) {
      const target = override.movePrecompileTo.toLowerCase() as Address;
      const precompile = before.has(address) ? precompiles.get(address) : undefined;
      if (precompile === undefined) throw new InvalidTransactionError(`account ${address} is not a precompile`);
      if (overridden.has(target)) throw new InvalidTransactionError(`account ${target} is already overridden`);
      precompiles.set(target, precompile);
    }
    if (before.has(address)) precompiles.delete(address);
    await applyOne(engine, address, override);
  }
  engine.setPrecompiles(precompiles);
}

async function applyOne(engine: Engine, address: Address, override: AccountOverride): Promise<void> {
  const { overlay } = engine;
  const { balance, nonce, code, state, stateDiff } = override;
  if (state && stateDiff) {
    throw new InvalidTransactionError(`account ${address} has both 'state' and 'stateDiff'`);
  }
  if (balance !== undefined || nonce !== undefined || code !== undefined) {
    const account = (await overlay.findAccount(address)) ?? emptyAccount;
    overlay.putAccount(address, {
      balance: balance ?? account.balance,
      nonce: nonce ?? account.nonce,
      codeHash: code === undefined ? account.codeHash : overlay.addCode(toBytes(code)),
    });
  }
  if (state) overlay.clearStorage(address);
  for (const [slot, value] of Object.entries(state ?? stateDiff ?? {})) {
    overlay.putSlot(address, slot.toLowerCase() as Hash, value.toLowerCase() as Hash);
  }
}
