/**
 * t() for the wallet.
 */
import { commonMessages } from "@/lib/messages/enCommon";
import { walletMessages } from "@/lib/messages/enWallet";
import { createTranslate, type PlainKeyOf } from "@/lib/messages/translate";

const texts = { ...commonMessages, ...walletMessages };
export type WalletKey = PlainKeyOf<typeof texts>;

export const t = createTranslate(texts);
