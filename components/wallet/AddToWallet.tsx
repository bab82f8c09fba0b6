"use client";
/**
 * Offers to add this network to a wallet (EIP-3085) and reports the result. If several wallets announced themselves
 * (EIP-6963), the visitor chooses one. If none did, the older `window.ethereum` is used.
 */
import { useEffect, useRef, useState } from "react";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { toAddChainParameter } from "@/components/wallet/addChainParameter";
import { type AnnouncedWallet, guardWallet, type Wallet } from "@/components/wallet/guardWallet";
import { WalletIcon } from "@/components/wallet/WalletIcon";
import { isMainnetSimulation } from "@/lib/networks";
import { toShownText } from "@/lib/shownText";

/** Returns a function that lists the wallets on the page. It works without the wallet libraries. */
function useAnnouncedWallets(): () => AnnouncedWallet[] {
  const found = useRef(new Map<string, AnnouncedWallet>());
  useEffect(() => {
    const add = ({ detail }: CustomEventInit<AnnouncedWallet>) => {
      if (detail?.info?.uuid && detail.provider) found.current.set(detail.info.uuid, detail);
    };
    window.addEventListener("eip6963:announceProvider", add);
    window.dispatchEvent(new Event("eip6963:requestProvider"));
    return () => window.removeEventListener("eip6963:announceProvider", add);
  }, []);
  return () => {
    const { ethereum } = window as { ethereum?: Wallet };
    if (found.current.size > 0 || ethereum === undefined) return [...found.current.values()];
    return [{ info: { uuid: "", name: "Browser wallet" }, provider: ethereum }];
  };
}

/** The messages are loaded when they're needed, because they come with the wallet libraries. */
async function toMessage(error: unknown): Promise<string> {
  const { nameDeclined, toFailureMessage } = await import("@/components/wallet/walletError");
  return toShownText(toFailureMessage(nameDeclined(error, "the network")), 200);
}

export function AddToWallet() {
  const { network, origin } = useNetworkContext();
  const [message, setMessage] = useState("");
  const [choices, setChoices] = useState<AnnouncedWallet[]>([]);
  const button = useRef<HTMLButtonElement>(null);
  const listWallets = useAnnouncedWallets();

  async function add({ provider }: AnnouncedWallet) {
    setMessage("Confirm in your wallet…");
    try {
      await guardWallet(provider, [network]).request({
        method: "wallet_addEthereumChain",
        params: [toAddChainParameter(network, origin)],
      });
      setMessage("Network added to your wallet");
    } catch (error) {
      setMessage(await toMessage(error));
    }
  }

  function start() {
    const [first, ...others] = listWallets();
    if (first === undefined) setMessage("No wallet detected. Add the values below by hand.");
    else if (others.length === 0) void add(first);
    else {
      setMessage("");
      setChoices(choices.length > 0 ? [] : [first, ...others]);
    }
  }

  function choose(wallet: AnnouncedWallet) {
    setChoices([]);
    button.current?.focus();
    void add(wallet);
  }

  // The wallet would take the simulation for the real mainnet and send its requests to this node.
  if (isMainnetSimulation(network)) return null;
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-2">
      {/* Without a message, the gap beside it is taken back, so that the button starts the line. */}
      <span role="status" className="text-13 text-ink-2 empty:-mr-3">
        {message}
      </span>
      <button ref={button} type="button" className="button" aria-expanded={choices.length > 0} onClick={start}>
        Add to wallet
      </button>
      {choices.length > 0 && (
        <fieldset className="flex flex-wrap items-center gap-2">
          <legend className="sr-only">Choose a wallet</legend>
          {choices.map((wallet) => (
            <button key={wallet.info.uuid} type="button" className="button" onClick={() => choose(wallet)}>
              <WalletIcon icon={wallet.info.icon} />
              {toShownText(wallet.info.name, 24)}
            </button>
          ))}
        </fieldset>
      )}
    </span>
  );
}
