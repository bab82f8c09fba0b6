/** The columns that lists of payments have in common. */
import { Age } from "@/components/atoms/Age";
import { ListedTokenAmount } from "@/components/atoms/Amount";
import { TxLink } from "@/components/atoms/TxLink";
import type { AmountShape } from "@/components/lists/amountShape";
import type { Column } from "@/components/lists/DataTable";
import type { Payment } from "@/lib/query/wire";
import { toPaymentAmount } from "./paymentAmount";

/** A failed payment moved nothing, so its amount is faint. */
const toAmountClass = ({ state }: Payment) => (state === "failed" ? "text-ink-3" : "font-medium");

export const toAmountColumn = (width: string, shape: AmountShape): Column<Payment> => ({
  id: "amount",
  head: "Amount",
  width,
  align: "right",
  narrow: "trail",
  cell: (payment) => {
    const { units, asset } = toPaymentAmount(payment);
    return (
      <span className={toAmountClass(payment)}>
        <ListedTokenAmount units={units} token={asset} others={0} {...shape} />
      </span>
    );
  },
});

export const settlementColumn: Column<Payment> = {
  id: "transaction",
  head: "Settlement",
  width: "lg:w-40 xl:w-60 xl:[&_.hash-short]:w-[17.25ch] max-lg:hidden",
  cell: ({ transaction, state }) =>
    transaction ? (
      <TxLink hash={transaction} />
    ) : (
      // With the scheme `upto`, the seller may charge nothing.
      <span className="text-ink-3">
        {state === "settled" ? "Nothing to settle" : state === "failed" ? "Not settled" : ""}
      </span>
    ),
};

export const toAgeColumn = (width: string): Column<Payment> => ({
  id: "age",
  head: "Age",
  width,
  align: "right",
  narrow: "belowTrail",
  cell: ({ createdAt }) => <Age timestamp={Math.floor(Number(createdAt) / 1000)} className="text-ink-2" />,
});
