/** eth_fillTransaction: fills in the fields that an offline wallet needs in order to sign. */

import { toQuantity } from "@/lib/units";
import { fillTransaction } from "@/server/chain/fillTransaction";
import { toHex } from "@/server/ethereum/codec/bytes";
import { toQuery } from "@/server/rpc/callQuery";
import { encodeAuthorization } from "@/server/rpc/encode";
import { toCallFailure } from "@/server/rpc/errors";
import { handlers } from "@/server/rpc/ports";

export const fillHandlers = handlers(["calls", "fees", "pool"], {
  eth_fillTransaction: async (context, call) => {
    const filled = await fillTransaction(context, toQuery(call, { tag: "latest" }).call);
    if ("result" in filled) throw toCallFailure(filled.result, context.network.settings);
    const { transaction, raw } = filled;
    const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = transaction;
    const orNull = (value: bigint | undefined) => (value === undefined ? null : toQuantity(value));
    return {
      raw: toHex(raw),
      tx: {
        type: toQuantity(transaction.type),
        from: call.from ?? null,
        to: transaction.to ?? null,
        gas: toQuantity(transaction.gas),
        gasPrice: orNull(gasPrice),
        maxFeePerGas: orNull(maxFeePerGas),
        maxPriorityFeePerGas: orNull(maxPriorityFeePerGas),
        value: toQuantity(transaction.value),
        // Some clients, such as viem, send `data` but read `input`.
        input: call.input ?? null,
        data: call.data ?? null,
        nonce: toQuantity(transaction.nonce),
        chainId: toQuantity(transaction.chainId),
        accessList: transaction.accessList ?? null,
        authorizationList: transaction.authorizationList?.map(encodeAuthorization) ?? null,
      },
    };
  },
});
