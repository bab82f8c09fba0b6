/**
 * Texts of the wallet. English.
 */

export const walletMessages = {
  "wallet.title": "Wallet",
  "wallet.close": "Close",
  "wallet.choose": "Choose how to sign",
  "wallet.burner": "Burner account",
  "wallet.burnerHint": "A key made in this browser, for chains where money is free. Nothing to install.",
  "wallet.injectedHint": "Announced by a wallet in this browser.",
  "wallet.noneInjected":
    "No wallet has announced itself to this page. Install one that supports EIP-6963, or use the burner account.",
  "wallet.noneNoBurner": "No wallet has announced itself to this page. Install one that supports EIP-6963.",
  "wallet.connectedWith": "Connected with {name}",
  "wallet.balances": "Balances",
  "wallet.otherNetwork": "The wallet is on chain {chainId}; this page is about {network}.",
  "wallet.burnerElsewhere":
    "A burner account signs on this node’s own chains only, and {network} is not one of them. Disconnect it and connect a wallet.",
  "wallet.switch": "Switch to {network}",
  "wallet.fund": "Get test money",
  "wallet.funding": "Asking the faucet…",
  "wallet.funded": "The faucet has sent test money.",
  "wallet.fundSlow": "The faucet’s transactions are not mined yet. Try again in a moment.",
  "wallet.fundFailed": "The faucet’s transaction {hash} failed. Open it to see why.",
  "wallet.export": "Show private key",
  "wallet.hideKey": "Hide private key",
  "wallet.key": "private key",
  "wallet.keyWarning": "Whoever has this key owns the account. It is worth nothing outside this node’s own chains.",
  "wallet.forget": "Forget this burner",
  "wallet.forgetConfirm": "Forget the key for good? Export it first if you want to keep the account.",
  "wallet.forgetYes": "Forget it",
  "wallet.forgotten": "The burner account is forgotten",
  "wallet.cancel": "Keep it",
  "wallet.disconnect": "Disconnect",
  "wallet.error.rejected":
    "You declined the request in the wallet. Nothing was signed or sent; try again when you are ready.",
  "wallet.error.unauthorized":
    "The wallet has not given this page access to that account. Connect the account in the wallet, then try again.",
  "wallet.error.unsupported":
    "The wallet does not support this request. Use another wallet or, where there is one, the burner account.",
  "wallet.error.disconnected":
    "The wallet is disconnected from every network. Check the wallet’s connection, then try again.",
  "wallet.error.chainDisconnected":
    "The wallet is disconnected from this network. Switch the wallet to it, then try again.",
  "wallet.error.unknownChain": "The wallet does not know this network. Add the network first, then try again.",
  "wallet.error.busy": "The wallet already has an open request. Open the wallet and answer it.",
  "wallet.error.other": "The wallet answered: {message}",
  "wallet.error.silent": "The wallet failed without saying why. Try again or reload the page.",
  "wallet.error.storage":
    "This browser lets the page store nothing, so a burner’s key would be lost. Allow site data, or connect a wallet.",
  "wallet.error.node": "The node refused: {message}",
  "wallet.error.unreachable": "The node could not be reached. Check that it is running, then try again.",
} as const;
