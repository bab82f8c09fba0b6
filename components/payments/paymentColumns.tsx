/** The columns of the lists of payments. */
import { AddressLink } from "@/components/atoms/AddressLink";
import { ListedTokenAmount } from "@/components/atoms/Amount";
import { TxLink } from "@/components/atoms/TxLink";
import { AgeHead, ListedAge } from "@/components/lists/ageColumn";
import type { AmountShape } from "@/components/lists/amountShape";
import type { Column } from "@/components/lists/DataTable";
import { PartiesCell } from "@/components/lists/PartiesCell";
import type { Payment } from "@/lib/query/wire";
import { PaymentLink } from "./PaymentLink";
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

/** Both parties in one cell, for narrow screens. */
export const partiesColumn: Column<Payment> = {
  id: "parties",
  head: "Payer and payee",
  width: "md:hidden",
  narrow: "below",
  cell: ({ payer, payee }) => (
    <PartiesCell from={<AddressLink address={payer} />} to={<AddressLink address={payee} />} />
  ),
};

/** Tablets have just enough room for two parties and a settlement. */
const partyClass = "md:max-lg:[&_.identifier]:gap-1.5";

const settlementColumn: Column<Payment> = {
  id: "transaction",
  head: "Settlement",
  width: `payment-settlement lg:w-40 xl:w-60 ${partyClass}`,
  cell: ({ transaction, state }) =>
    transaction ? (
      <TxLink hash={transaction} />
    ) : (
      // With the scheme `upto`, the seller may charge nothing.
      <span className="text-ink-3 md:max-lg:text-13">
        {state === "settled" ? "Nothing to settle" : state === "failed" ? "Not settled" : ""}
      </span>
    ),
};

export const toAgeColumn = (width: string): Column<Payment> => ({
  id: "age",
  head: <AgeHead />,
  width,
  align: "right",
  narrow: "belowTrail",
  cell: ({ createdAt }) => <ListedAge timestamp={Math.floor(Number(createdAt) / 1000)} />,
});

/**
 * The columns of a list with payments of any state or, if `state` is set, of only this state. Failed payments have a
 * reason instead of a settlement.
 */
export function toPaymentColumns(
  shape: AmountShape,
  { state, isStateKnown = false }: { state?: string | undefined; isStateKnown?: boolean },
): Column<Payment>[] {
  const isFailed = state === "failed";
  return [
    {
      id: "payment",
      head: isFailed ? "Resource and reason" : "Resource",
      width: `payment-resource ${isFailed ? "lg:w-120" : "lg:w-80 xl:w-110"}`,
      narrow: "lead",
      cell: (payment) => <PaymentLink isStateKnown={isStateKnown} payment={payment} />,
    },
    toAmountColumn("md:w-25 lg:w-34", shape),
    {
      id: "payer",
      head: "Payer",
      width: `lg:pl-8 ${partyClass}`,
      cell: ({ payer }) => <AddressLink address={payer} />,
    },
    {
      id: "payee",
      head: "Payee",
      width: partyClass,
      cell: ({ payee }) => <AddressLink address={payee} />,
    },
    partiesColumn,
    ...(isFailed ? [] : [settlementColumn]),
    toAgeColumn("md:w-23 lg:w-24"),
  ];
}
