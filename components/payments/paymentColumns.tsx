/** The columns that lists of payments have in common. */
import { Age } from "@/components/atoms/Age";
import { ListedTokenAmount } from "@/components/atoms/Amount";
import type { Column } from "@/components/lists/DataTable";
import type { Payment } from "@/lib/query/wire";
import { toPaymentAmount } from "./amountDigits";

/** `digits` is the number of decimals. */
export const toAmountColumn = (width: string, digits: number): Column<Payment> => ({
  id: "amount",
  head: "Amount",
  width,
  align: "right",
  narrow: "trail",
  cell: (payment) => {
    const { units, asset } = toPaymentAmount(payment);
    return <ListedTokenAmount units={units} token={asset} others={0} fractionDigits={digits} />;
  },
});

export const toAgeColumn = (width: string): Column<Payment> => ({
  id: "age",
  head: "Age",
  width,
  align: "right",
  narrow: "belowTrail",
  cell: ({ createdAt }) => <Age timestamp={Math.floor(Number(createdAt) / 1000)} className="text-ink-2" />,
});
