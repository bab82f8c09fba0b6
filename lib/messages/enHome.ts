/**
 * Texts of the start page, and of a search that found nothing. English.
 */

export const homeMessages = {
  "search.title": "Search",
  "search.noneTitle": "Nothing is called “{text}” on {network}",
  "search.lookedUp": "It was looked up as {kinds}.",
  "search.noShape": "It has the shape of no block number, hash or address.",
  "search.shapes":
    "A block number is decimal (12345), a transaction or block hash is 0x and 64 hex digits, an address is 0x and 40.",
  "search.otherNetwork": "It may be on another network of this node:",

  "readings.label": "Readings",
  "readings.head": "Head block",
  "readings.interval": "Block interval",
  "readings.onDemand": "Built when a transaction waits",
  "readings.median": "Median of {count} blocks",
  "readings.gasPrice": "Gas price",
  "readings.gasPriceNote": "Base fee and suggested tip",
  "readings.throughput": "Throughput",
  "readings.throughputNote": "{count} {count|transaction|transactions} in {blocks} {blocks|block|blocks}",
  "readings.perSecond": "tx/s",
  "readings.pool": "Pool",
  "readings.pending": "pending",
  "readings.queued": "{count} queued",

  "connect.title": "Connect",
  "connect.rpc": "RPC URL",
  "connect.chainId": "Chain ID",
  "connect.currency": "Currency",
  "connect.decimals": "{count} decimals",
  "connect.funded": "Funded accounts",
  "connect.fundedHint": "They hold the currency and the token from genesis on",
  "connect.more": "and {count} more",
  "connect.mnemonic": "Keys: the public test mnemonic “test test … junk”",
  "connect.firstCall": "First call",

  "wallet.add": "Add to wallet",
  "wallet.none": "No wallet was found in this browser.",
  "wallet.added": "The wallet knows this network.",
  "wallet.refused": "The wallet refused.",
} as const;
