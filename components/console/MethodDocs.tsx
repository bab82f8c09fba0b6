/**
 * A method's documentation, generated from the declaration that also validates its params. The request's form describes
 * the params. Readable without JavaScript.
 */
import { Hinted } from "@/components/atoms/Hinted";
import { Sheet } from "@/components/layout/Sheet";
import { plural } from "@/lib/plural";
import type { MethodDescription } from "@/lib/rpc/schema/description";
import type { Shape } from "@/lib/rpc/schema/field";
import { groupDigits } from "@/lib/units";

const bytesPerMiB = 2 ** 20;

function toLimitText(name: string, value: string): string {
  const bytes = Number(value);
  return name.endsWith("Bytes") && bytes % bytesPerMiB === 0 ? `${bytes / bytesPerMiB} MiB` : groupDigits(value);
}

/** For example, "object or null". */
function toTypeText({ type, nullable }: Pick<Shape, "type" | "nullable">): string {
  return nullable && !/\bnull\b/.test(type) ? `${type} or null` : type;
}

const headingClass = "mb-1.5 font-semibold text-13";
const listClass = "flex flex-col gap-1.5";

export function MethodDocs({ method }: { method: MethodDescription }) {
  return (
    <Sheet
      id="docs"
      title={
        <>
          About <span className="font-mono">{method.name}</span>
        </>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-x-8 gap-y-4 px-4 pt-3 pb-4 text-13 sm:grid-cols-2 min-[72rem]:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)_minmax(0,1.5fr)]">
        <section aria-labelledby="docs-result" className="sm:max-[71.99rem]:col-span-2">
          <h3 className={headingClass} id="docs-result">
            Result
          </h3>
          <p>{toTypeText(method.result)}</p>
          <ShapeDocs shape={method.result} open={method.result.entries.length <= mostOpenFields} />
        </section>
        <section aria-labelledby="docs-errors">
          <h3 className={headingClass} id="docs-errors">
            Errors
          </h3>
          <ul className={listClass}>
            {method.errors.map(({ code, message }) => (
              <li key={`${code} ${message}`} className="flex gap-x-2">
                <span className="mono">{code}</span> <span className="min-w-0">{message}</span>
              </li>
            ))}
          </ul>
        </section>
        <section aria-labelledby="docs-limits">
          <h3 className={headingClass} id="docs-limits">
            <Hinted hint="If a request exceeds a limit, the error’s data.limit is the limit’s name">Limits</Hinted>
          </h3>
          <dl className="grid grid-cols-[auto_auto_minmax(0,1fr)] gap-x-3 gap-y-1.5 sm:gap-x-6">
            {method.limits.map(({ name, summary, value }) => (
              <div key={name} className="col-span-full grid grid-cols-subgrid">
                <dt>{summary}</dt>
                <dd>{toLimitText(name, value)}</dd>
                <dd className="mono wrap-anywhere text-ink-3">{name}</dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
    </Sheet>
  );
}

/** A longer list starts closed, because it would push the batch and the history off the screen. */
const mostOpenFields = 12;

function ShapeDocs({ shape, open = false }: { shape: Shape; open?: boolean }) {
  if (shape.entries.length === 0) return null;
  return (
    <details className="tree" open={open}>
      <summary>
        {shape.entries.length} {plural(shape.entries.length, "field")}
      </summary>
      <ul>
        {shape.entries.map(({ name, required, shape: inside }) => (
          <li key={name}>
            <span className="mono">{name}</span>{" "}
            <span className="text-ink-3">
              {inside.type}
              {inside.nullable && " or null"}
              {!required && " optional"}
            </span>
            <ShapeDocs shape={inside} />
          </li>
        ))}
      </ul>
    </details>
  );
}
