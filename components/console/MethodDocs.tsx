/**
 * A method's documentation, generated from the declaration that also validates its params. Readable without JavaScript.
 */
import { Sheet } from "@/components/layout/Sheet";
import { plural } from "@/lib/plural";
import type { MethodDescription } from "@/lib/rpc/schema/description";
import type { Field, Shape } from "@/lib/rpc/schema/field";
import { groupDigits } from "@/lib/units";

const bytesPerMiB = 2 ** 20;

function toLimitText(name: string, value: string): string {
  const bytes = Number(value);
  return name.endsWith("Bytes") && bytes % bytesPerMiB === 0 ? `${bytes / bytesPerMiB} MiB` : groupDigits(value);
}

const headingClass = "mb-1.5 font-semibold text-13";
const listClass = "flex flex-col gap-1.5";

export function MethodDocs({ method }: { method: MethodDescription }) {
  return (
    <Sheet id="docs" title={`About ${method.name}`}>
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-x-8 gap-y-4 px-4 pt-3 pb-4 text-13 min-[60rem]:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-x-8 gap-y-4">
          <section aria-labelledby="docs-params">
            <h3 className={headingClass} id="docs-params">
              Params
            </h3>
            {method.params.length === 0 ? (
              <p className="text-ink-2">No parameters</p>
            ) : (
              <dl className={listClass}>
                {method.params.map(({ name, required, type, field }) => (
                  <div key={name}>
                    <dt>
                      <span className="mono">{name}</span> <span className="text-ink-3">{type}</span>
                      {!required && <span className="text-ink-3"> · optional</span>}
                    </dt>
                    <dd>
                      {field.kind === "text" && field.hint !== undefined && <p className="text-ink-2">{field.hint}</p>}
                      <FieldDocs field={field} />
                    </dd>
                  </div>
                ))}
              </dl>
            )}
          </section>
          <section aria-labelledby="docs-errors">
            <h3 className={headingClass} id="docs-errors">
              Errors
            </h3>
            <ul className={listClass}>
              {method.errors.map(({ code, message }) => (
                <li key={`${code} ${message}`}>
                  <span className="mono">{code}</span> {message}
                </li>
              ))}
            </ul>
          </section>
          <section aria-labelledby="docs-limits">
            <h3 className={headingClass} id="docs-limits">
              Limits
            </h3>
            <dl className={listClass}>
              {method.limits.map(({ name, summary, value }) => (
                <div key={name} className="flex flex-wrap justify-between gap-x-4">
                  <dt>{summary}</dt>
                  <dd>
                    {toLimitText(name, value)} <span className="mono text-ink-3">{name}</span>
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        </div>
        <section aria-labelledby="docs-result">
          <h3 className={headingClass} id="docs-result">
            Result
          </h3>
          <p>
            {method.result.type}
            {method.result.nullable && !/\bnull\b/.test(method.result.type) && " or null"}
          </p>
          <ShapeDocs shape={method.result} open={method.result.entries.length <= mostOpenFields} />
        </section>
      </div>
    </Sheet>
  );
}

/** The nested fields of a param, level by level. */
function FieldDocs({ field }: { field: Field }) {
  if (field.kind === "list") return <FieldDocs field={field.item} />;
  if (field.kind === "map") {
    return (
      <>
        <p className="text-ink-2">Keyed by {field.key}:</p>
        <FieldDocs field={field.value} />
      </>
    );
  }
  if (field.kind !== "object") return null;
  return (
    <details className="tree">
      <summary>
        {field.entries.length} {plural(field.entries.length, "field")}
      </summary>
      <ul>
        {field.entries.map(({ name, required, field: inside }) => (
          <li key={name}>
            <span className="mono">{name}</span> <span className="text-ink-3">{inside.type}</span>
            {required && <span className="text-ink-3"> · required</span>}
            <FieldDocs field={inside} />
          </li>
        ))}
      </ul>
    </details>
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
