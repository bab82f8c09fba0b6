/**
 * The terms by which transactions can be filtered. The index of an embedded chain uses the same terms as the lists that
 * are filtered in memory, so that a filter means the same everywhere.
 */
import { canonicalContracts, isSameAddress } from "@/lib/contracts";
import { listSettlements } from "@/lib/decode/summary";
import type { TransactionFilterFields } from "@/lib/rpc/schema/explorerPage";
import { getDecoder } from "@/server/explorer/decoder";
import { findTransfer } from "@/server/explorer/transfers";
import type { TransactionFilter, TransactionTerm } from "@/server/ports/store";

type Hex = `0x${string}`;
type LogLike = { address: Hex; topics: Hex[]; data: Hex };

/** The hashes of "Settled()" and "SettledWithPermit()", the events of the contracts that settle through Permit2. */
const settledTopics: string[] = [
  "0x97088ec3606cfe8cc112180570d03fcde05f9b8e1bfef8e27784eaf5dd5691b6",
  "0xde5b89d10fc800c459329c382fabfcad0be0ed7e5328e01fae04e507b09ef5d8",
];
const { exactPermit2Proxy, uptoPermit2Proxy } = canonicalContracts;

/** The number of x402 payments that a transaction settled. It is derived from the transaction's logs. */
export function countPayments(logs: readonly LogLike[]): number {
  const throughPermit2 = logs.filter(
    ({ address, topics }) =>
      settledTopics.includes(topics[0] ?? "") &&
      (isSameAddress(address, exactPermit2Proxy) || isSameAddress(address, uptoPermit2Proxy)),
  );
  return listSettlements(logs).length + throughPermit2.length;
}

export function listTerms(
  { to, input }: { to?: string | null | undefined; input: string },
  { status, logs }: { status?: number | undefined; logs: readonly LogLike[] },
): TransactionTerm[] {
  const tokens = new Set(logs.filter(findTransfer).map(({ address }) => address.toLowerCase() as Hex));
  return [
    ...(status === 0 ? (["failed"] as const) : []),
    ...(countPayments(logs) > 0 ? (["payment"] as const) : []),
    ...(!to
      ? (["creation"] as const)
      : input.length >= 10
        ? [{ method: input.slice(0, 10).toLowerCase() as Hex }]
        : []),
    ...[...tokens].map((token) => ({ token })),
  ];
}

/**
 * Puts rare terms first. The first group of terms determines which rows are read, and the other groups filter those
 * rows.
 */
export function toFilter({ failed, payment, creation, method, token }: TransactionFilterFields): TransactionFilter {
  return [
    ...(token ? [[{ token }]] : []),
    ...(method ? [toSelectors(method).map((selector) => ({ method: selector }))] : []),
    ...(creation ? [["creation"] as const] : []),
    ...(payment ? [["payment"] as const] : []),
    ...(failed ? [["failed"] as const] : []),
  ];
}

function toSelectors(method: string): Hex[] {
  return /^0x[0-9a-f]{8}$/i.test(method) ? [method.toLowerCase() as Hex] : getDecoder().listSelectors(method);
}

/** Whether a transaction with these terms matches the filter. */
export function matches(terms: readonly TransactionTerm[], filter: TransactionFilter): boolean {
  const has = new Set(terms.map(toKey));
  return filter.every((group) => group.some((term) => has.has(toKey(term))));
}

function toKey(term: TransactionTerm): string {
  return typeof term === "string" ? term : "method" in term ? term.method : term.token;
}
