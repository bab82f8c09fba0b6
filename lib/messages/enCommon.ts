/**
 * Texts that any page may show: the frame around it, columns and states of lists, what is said where nothing is. English.
 */

export const commonMessages = {
  "app.title": "Tollscan",
  "app.description": "Block explorer, EVM node and x402 payment playground.",
  "app.skip": "Skip to content",

  "nav.label": "Sections",
  "nav.blocks": "Blocks",
  "nav.transactions": "Transactions",
  "nav.pool": "Pool",
  "nav.playground": "Playground",
  "nav.payments": "Payments",
  "nav.resources": "Resources",
  "nav.console": "Console",

  "network.switch": "Network",

  "what.address": "address",
  "what.transactionHash": "transaction hash",
  "what.amount": "exact amount",
  "what.command": "command",
  "what.input": "input data",
  "what.mnemonic": "mnemonic",

  "copy.label": "Copy {what}",
  "copy.done": "Copied {what}",
  "copy.failed": "The browser did not let the {what} be copied",

  "amount.units": "units",
  "amount.someToken": "a token",
  "amount.unknownToken": "{amount} smallest units of the token {token}",
  "amount.othersHint": "and {count} token {count|transfer|transfers} more",

  "search.label": "Search by block number, hash or address",
  "search.placeholder": "Block number, hash or address",
  "search.results": "What was found",
  "search.nothing": "Nothing on this network by that name.",
  "search.kind.block": "Block",
  "search.kind.transaction": "Transaction",
  "search.kind.address": "Address",
  "search.kind.pending": "Pending",

  "theme.label": "Theme: {theme}",
  "theme.system": "system",
  "theme.light": "light",
  "theme.dark": "dark",

  "ruler.label": "Newest blocks",
  "ruler.head": "Head",
  "ruler.tick": "Block {number}: {count} {count|transaction|transactions}, {gas} gas",

  "footer.network": "{label}, chain {chainId}:",
  "footer.requests": "Show requests",
  "footer.more": "More of this node",

  "failure.answered": "The node answered with an error",
  "failure.unreached": "The node could not be reached",
  "failure.code": "code {code}",
  "failure.retry": "Try again",

  "loading.blocks": "Loading blocks",
  "loading.block": "Loading block",
  "loading.transactions": "Loading transactions",
  "loading.transaction": "Loading transaction",
  "loading.payments": "Loading payments",
  "loading.rows": "Loading rows",

  "pager.label": "Pages",
  "pager.newest": "Newest",
  "pager.older": "Older",

  "column.block": "Block",
  "column.age": "Age",
  "column.hash": "Hash",
  "column.transactions": "Transactions",
  "column.transactionsWord": "{count|transaction|transactions}",
  "column.gasUsed": "Gas used",
  "column.baseFee": "Base fee",
  "column.size": "Size",
  "column.miner": "Fee recipient",
  "column.transaction": "Transaction",
  "column.method": "Method",
  "column.from": "From",
  "column.to": "To",
  "column.parties": "From and to",
  "column.direction": "Direction",
  "column.value": "Value",
  "column.fee": "Fee",
  "column.status": "Status",
  "column.amount": "Amount",
  "column.token": "Token",

  "direction.in": "in",
  "direction.out": "out",
  "direction.self": "self",
  "direction.via": "via",
  "direction.label": "Only",
  "direction.all": "all",
  "direction.created": "new",
  "direction.internal": "int",
  "direction.token": "token",
  "direction.hint.in": "The transaction was sent to this address",
  "direction.hint.out": "This address sent the transaction",
  "direction.hint.self": "This address sent the transaction to itself",
  "direction.hint.created": "The transaction created this contract",
  "direction.hint.internal": "Coin moved to or from this address inside the transaction",
  "direction.hint.token": "Tokens of this address moved in the transaction",

  "method.create": "create contract",
  "method.transfer": "transfer",

  "status.success": "Success",
  "status.failed": "Failed",
  "status.pending": "Pending",
  "status.queued": "Queued",
  "status.dropped": "Dropped",
  "status.replaced": "Replaced",
  "status.expired": "Expired",
  "status.unknown": "Unknown",
  "status.verified": "Verified",
  "status.settling": "Settling",
  "status.settled": "Settled",
  "status.refunded": "Refunded",

  "finality.final": "final",
  "finality.open": "not final",
  "finality.finalHint": "The node’s finalized block is this one or a later one",
  "finality.openHint": "The node’s finalized block is an earlier one",
  "finality.above": "{count} {count|block|blocks} after it",

  "home.lead": "Look up anything on chain {chainId}",
  "home.blocks": "Latest blocks",
  "home.transactions": "Latest transactions",
  "home.all": "See all",

  "connect.snippet": "{tool} example",

  "blocks.title": "Blocks",
  "blocks.caption": "Blocks, newest first",

  "transactions.title": "Transactions",
  "transactions.none": "No transactions yet",
  "transactions.noneHint": "Send one from a funded account and it appears here as soon as it is mined:",

  "logs.noData": "none",

  "pool.counts": "{pending} pending, {queued} queued",
  "pool.pending": "Next in line to be mined",
  "pool.queued": "Waits for an earlier nonce of its sender",

  "payment.state": "State",

  "address.contract": "Contract",
  "address.none": "No transaction has touched this address",

  "missing.title": "There is no such page",
  "missing.hint": "The networks of this node:",
  "missing.home": "To the start page",
  "missing.address": "“{text}” is no address",
  "missing.addressHint": "An address is 0x and 40 hex digits.",
  "missing.hash": "“{text}” is no transaction hash",
  "missing.hashHint": "A transaction hash is 0x and 64 hex digits.",
  "missing.block": "“{text}” names no block",
  "missing.blockHint": "A block is named by its number or by its hash, 0x and 64 hex digits.",

  "live.live": "Live",
  "live.connecting": "Connecting",
  "live.offline": "Offline",
  "live.paused": "Paused",
  "live.pausedWaiting": "Paused, {count} new",
  "live.pauseHint": "Pause live updates (.)",
  "live.resumeHint": "Resume live updates (.)",
  "live.more": "{count} more",
  "live.replaced":
    "The chain behind this page was replaced by another one. What you see was read anew; links of before may lead nowhere.",
  "live.rewound":
    "The chain went back to an earlier block. What you see was read anew; links of before may lead nowhere.",
  "live.dismiss": "Understood",

  "temporary.title": "This deployment has no database.",
  "temporary.body":
    "Each of its instances has a chain of its own and forgets it when it ends, so payments are refused. Set DATABASE_URL to a Postgres database and deploy again.",

  "keys.title": "Keyboard",

  "dialog.close": "Close",

  "requests.show": "Show the request: {method}",

  "tabs.label": "Views",

  "data.json": "JSON",
  "data.csv": "CSV",
  "data.label": "This data as {format}",

  "list.none": "Nothing here yet",

  "transfers.title": "Token transfers",
  "transfers.none": "No tokens have moved here",
  "transfers.minted": "minted",
  "transfers.burned": "burned",

  "charts.title": "Charts",

  "node.title": "Node",

  "wallet.connect": "Connect wallet",
  "wallet.loading": "Loading wallet…",

  "play.block": "Block",

  "tools.title": "Developer tools",
} as const;
