/** The columns of figures in the list of resources or payees. */
import type { ReactNode } from "react";
import { Age } from "@/components/atoms/Age";
import { GasCost, ListedTokenAmount } from "@/components/atoms/Amount";
import { Hinted } from "@/components/atoms/Hinted";
import { AppLink } from "@/components/layout/AppLink";
import type { AmountShape } from "@/components/lists/amountShape";
import type { Column } from "@/components/lists/DataTable";
import { toPaymentsPath } from "@/lib/links";
import type { PageNetwork } from "@/lib/networks";
import { plural } from "@/lib/plural";
import type { Earning } from "@/lib/rpc/explorerShapes";
import { formatInteger } from "@/lib/units";
import { FailedCount } from "./FailedCount";
import { toTokenShape } from "./paymentAmount";

/** The earnings of a resource or payee, with one total per token. */
export type SubjectTotals = { subject: string; totals: Earning[] };

/** Groups totals by subject, in the order of each subject's first total. */
export function groupTotals(items: readonly Earning[]): SubjectTotals[] {
  const groups = new Map<string, Earning[]>();
  for (const item of items) groups.set(item.subject, [...(groups.get(item.subject) ?? []), item]);
  return [...groups].map(([subject, totals]) => ({ subject, totals }));
}

/** The amounts in the Earned and Refunded columns. */
function toAmounts({ asset, settledAmount, refundedAmount }: Earning) {
  const refunded = BigInt(refundedAmount);
  return [
    { units: BigInt(settledAmount) - refunded, asset },
    { units: refunded, asset },
  ];
}

type FigureColumn = Omit<Column<SubjectTotals>, "cell"> & { read: (total: Earning) => ReactNode };

type ToPath = (subject: string, state?: "settled" | "failed") => string;

/** The payments that a total counts. Refunded ones were settled too, but have another state. */
const toSettledPath = ({ subject, refunds }: Earning, toPath: ToPath) =>
  toPath(subject, BigInt(refunds) > 0n ? undefined : "settled");

const lineClass = "block truncate leading-5 max-md:leading-6";

/** All cells of a row have a line for each token, so that the lines align. */
const toFigures = ({ read, ...column }: FigureColumn): Column<SubjectTotals> => ({
  ...column,
  align: "right",
  cell: ({ totals }) =>
    totals.map((total) => (
      <span key={total.asset} className={lineClass}>
        {read(total)}
      </span>
    )),
});

/** On phones, the summary has the times of several tokens. */
const lastColumn: Column<SubjectTotals> = {
  id: "last",
  head: "Last payment",
  width: "md:w-26 lg:w-32",
  align: "right",
  narrow: "belowTrail",
  cell: ({ totals }) =>
    totals.map((total) => (
      <span key={total.asset} className={lineClass}>
        <LastPayment {...total} />
      </span>
    )),
};

const LastPayment = ({ lastAt }: Earning) =>
  lastAt === null ? "–" : <Age timestamp={Math.floor(Number(lastAt) / 1000)} className="text-ink-2" />;

export function toTotalColumns(
  by: "resource" | "payee",
  network: Pick<PageNetwork, "name" | "tokens">,
  groups: readonly SubjectTotals[],
): Column<SubjectTotals>[] {
  const totals = groups.flatMap((group) => group.totals);
  const shape = toTokenShape(network, totals.flatMap(toAmounts));
  const toPath: ToPath = (subject, state) =>
    toPaymentsPath(network.name, { state, ...(by === "payee" ? { payee: subject } : { resource: subject }) });
  const figures: FigureColumn[] = [
    {
      id: "amount",
      head: <Hinted hint="Net of refunds">Earned</Hinted>,
      width: "md:w-28 lg:w-36",
      narrow: "trail",
      read: (total) => <Earned total={total} shape={shape} />,
    },
    {
      id: "count",
      head: "Settled",
      width: "md:w-18 lg:w-28",
      read: (total) => <AppLink href={toSettledPath(total, toPath)}>{formatInteger(BigInt(total.payments))}</AppLink>,
    },
    {
      id: "payers",
      head: "Payers",
      width: "md:w-14 lg:w-28",
      read: ({ payers }) => formatInteger(BigInt(payers)),
    },
    {
      id: "failed",
      head: <Hinted hint="Payments that were verified but not settled">Failed</Hinted>,
      width: "md:w-18 lg:w-28",
      read: (total) => <FailedTotal {...total} href={toPath(total.subject, "failed")} />,
    },
    {
      id: "gas",
      head: <Hinted hint="Paid by the facilitator">Gas fees</Hinted>,
      width: "md:w-32 lg:w-34",
      read: ({ gasCost }) => <GasCost aligned wei={BigInt(gasCost)} />,
    },
    {
      id: "refunds",
      head: "Refunded",
      width: "md:w-32 max-xl:hidden",
      read: ({ asset, refundedAmount }) => <TotalAmount units={BigInt(refundedAmount)} asset={asset} shape={shape} />,
    },
  ];
  const hasRefunds = totals.some(({ refunds }) => BigInt(refunds) > 0n);
  return [
    toSummaryColumn(by, shape, toPath),
    ...figures.filter(({ id }) => hasRefunds || id !== "refunds").map(toFigures),
    lastColumn,
  ];
}

/** Replaces the other columns on narrow screens, with one line per token. */
function toSummaryColumn(by: "resource" | "payee", shape: AmountShape, toPath: ToPath): Column<SubjectTotals> {
  return {
    id: "summary",
    head: "Summary",
    width: "md:hidden",
    narrow: "below",
    cell: ({ subject, totals }) =>
      totals.map((total) => (
        // Aligns with the payee's name.
        <span
          key={total.asset}
          className={`flex flex-wrap gap-x-3 text-ink-2 [&+&]:mt-1.5 ${by === "payee" ? "pl-[1.375rem]" : ""}`}
        >
          {totals.length > 1 && (
            <span className="token-totals flex basis-full justify-between text-ink">
              <Earned total={total} shape={shape} /> <LastPayment {...total} />
            </span>
          )}
          <AppLink href={toSettledPath(total, toPath)}>{formatInteger(BigInt(total.payments))} settled</AppLink>
          <span>
            {formatInteger(BigInt(total.payers))} {plural(Number(total.payers), "payer")}
          </span>
          {BigInt(total.failed) > 0n && (
            <span>
              <FailedTotal {...total} href={toPath(subject, "failed")} /> failed
            </span>
          )}
          {BigInt(total.refunds) > 0n && <span>{formatInteger(BigInt(total.refunds))} refunded</span>}
          {/* In a line of its own. Otherwise, its place would depend on the length of the age above. */}
          <span className="basis-full">
            gas <GasCost wei={BigInt(total.gasCost)} />
          </span>
        </span>
      )),
  };
}

function Earned({ total: { asset, settledAmount, refundedAmount }, shape }: { total: Earning; shape: AmountShape }) {
  return (
    <span className="font-medium">
      <TotalAmount units={BigInt(settledAmount) - BigInt(refundedAmount)} asset={asset} shape={shape} />
    </span>
  );
}

function TotalAmount({ units, asset, shape }: { units: bigint; asset: Earning["asset"]; shape: AmountShape }) {
  return <ListedTokenAmount units={units} token={asset ?? ""} others={0} {...shape} />;
}

const FailedTotal = ({ settled, failed, href }: Pick<Earning, "settled" | "failed"> & { href: string }) => (
  <FailedCount settled={BigInt(settled)} failed={BigInt(failed)} href={href} />
);
