/**
 * The host functions that the machine calls. Any of them may end the run by throwing, for example if a region is full.
 * The host then restarts the run.
 */

/**
 * Fills in the account record: balance, nonce, code hash, whether the account exists, and the number of its precompile.
 */
@external("host", "loadAccount") export declare function loadAccount(account: usize): void;
/** Writes the value that the slot had before the transaction to SCRATCH + 32; the key is at SCRATCH. */
@external("host", "loadSlot") export declare function loadSlot(account: usize): void;
/** Returns the entry of the account's code. The account must have code. */
@external("host", "loadCode") export declare function loadCode(account: usize): usize;
/** Whether any slot of the account was nonzero before the transaction. */
@external("host", "hasStorage") export declare function hasStorage(account: usize): bool;
/** Writes the hash of the block with this number to SCRATCH. */
@external("host", "blockHash") export declare function blockHash(number: f64): void;
/**
 * Runs a precompile and writes its output to the return region. Returns the gas used, -1 if the precompile failed, or
 * -2 if it ran out of gas.
 */
@external("host", "precompile") export declare function precompile(id: u32, input: usize, length: u32, gas: i64): i64;
/** Reports that a region is full. Never returns. */
@external("host", "full") export declare function full(region: i32): void;
/** Called when code has run often; see tiers.ts. Only in the plain build. */
@external("host", "hot") export declare function hot(entry: usize): void;
/** Called when a run has used up its slice: writes a new slice or ends the run. */
@external("host", "renew") export declare function renew(): void;
/** Called before each opcode that the host watches. */
@external("host", "step") export declare function step(op: u32): void;
/** Called when a frame begins, or when a call or creation fails before its frame can begin. */
@external("host", "enter") export declare function enter(): void;
/** Called when the newest frame ends, with the reason for its failure, or zero if it succeeded. */
@external("host", "exit") export declare function exit(failure: u32): void;
