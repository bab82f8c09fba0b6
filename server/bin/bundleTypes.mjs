/**
 * Joins the type declarations that a module needs into one file, so that the package has no other declaration files. It
 * relies on TypeScript's output: every statement starts at the beginning of a line.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * The declarations, imports and exports of a file, keyed by name. A reference without `from` refers to the file itself.
 * @typedef {{ from?: string | undefined, name: string }} Reference
 * @typedef {{ declared: Map<string, string>, imported: Map<string, Reference>, exported: Map<string, Reference> }}
 * Module
 */

const declaration = /^(?:export )?(?:declare )?(?:abstract )?(?:function|const|class|type|interface) ([\w$]+)/;
const references = /^(import|export)(?: type)? \{([^}]*)\}(?: from "([^"]+)")?;/;
const leadingComment = /^(?:\/\*\*[\s\S]*?\*\/\n)?/;

/** Splits declarations into statements, each with its comment. @param {string} text @param {string} header */
function listStatements(text, header) {
  /** @type {string[]} */
  const statements = [];
  for (const part of text.split(/^(?=\/\*\*|(?:import|export|declare|type|interface)\b)/m)) {
    const last = statements.at(-1);
    if (last === undefined || /[;}]\s*$/.test(last)) statements.push(part);
    else if (/^\/\*\*[\s\S]*\*\/\s*$/.test(last) && header.startsWith(last.trim())) statements.splice(-1, 1, part);
    else statements.splice(-1, 1, last + part);
  }
  return statements;
}

/**
 * Reads a file of declarations. Leaves out the source's first comment, which describes the file.
 * @param {string} text @param {string} source @returns {Module}
 */
function readModule(text, source) {
  /** @type {Module} */
  const module = { declared: new Map(), imported: new Map(), exported: new Map() };
  const { declared, imported, exported } = module;
  for (const statement of listStatements(text, source)) {
    const [comment] = leadingComment.exec(statement) ?? [""];
    const code = statement.slice(comment.length);
    if (/\bimport\(/.test(code)) throw new Error(`Name this type instead of having it inferred: ${code.trim()}`);
    const name = declaration.exec(code)?.[1];
    const [, keyword, list, from] = references.exec(code) ?? [];
    if (name !== undefined) {
      declared.set(name, (declared.get(name) ?? "") + comment + code.replace(/^export /, ""));
      if (code.startsWith("export ")) exported.set(name, { name });
    } else if (list !== undefined) {
      for (const item of list.split(",").filter((part) => part.trim() !== "")) {
        const [original = "", as = original] = item
          .trim()
          .replace(/^type /, "")
          .split(" as ");
        (keyword === "import" ? imported : exported).set(as, { from, name: original });
      }
    } else if (code.trim() !== "" && !code.startsWith('import "')) {
      throw new Error(`bundleTypes.mjs can't read this statement: ${code.trim()}`);
    }
  }
  return module;
}

/**
 * Returns the declarations that an entry point exports and everything they refer to. Throws if they refer to a package
 * that is not listed.
 * @param {{ root: string, emitted: string, entry: string, packages?: readonly string[] }} options the project's folder,
 * the folder with the emitted declarations, the entry point's path relative to both folders without an extension, and
 * packages that may be imported
 */
export function bundleTypes({ root, emitted, entry, packages = [] }) {
  /** @type {Map<string, Module>} */
  const modules = new Map();
  /** Keyed by file and name. @type {Map<string, { name: string, text: string }>} */
  const included = new Map();
  /** Imported names, keyed by package. @type {Map<string, Set<string>>} */
  const external = new Map();
  const taken = new Set();

  /** @param {string} path @returns {Module} */
  function getModule(path) {
    let module = modules.get(path);
    if (!module) {
      const source = join(root, `${path}.ts`);
      // TypeScript emits nothing for plain JavaScript files, so their declarations are written by hand.
      const file = path.endsWith(".mjs") ? join(root, path.replace(/mjs$/, "d.mts")) : join(emitted, `${path}.d.ts`);
      module = readModule(readFileSync(file, "utf8"), existsSync(source) ? readFileSync(source, "utf8") : "");
      modules.set(path, module);
    }
    return module;
  }

  /**
   * Includes the declaration that a name in a file refers to. @param {string} path @param {string} name @returns
   * {string} its new name
   */
  function include(path, name) {
    const { declared, imported, exported } = getModule(path);
    const text = declared.get(name);
    if (text !== undefined) return includeDeclaration(path, name, text);
    const reference = imported.get(name) ?? exported.get(name);
    if (!reference) throw new Error(`${path} does not declare ${name}.`);
    const { from } = reference;
    if (from === undefined) return include(path, reference.name);
    if (from.startsWith("@/")) return include(from.slice(2), reference.name);
    if (from.startsWith(".")) return include(join(dirname(path), from), reference.name);
    if (!packages.includes(from)) {
      throw new Error(`The types of ${entry} must not import ${from}, but ${path} imports ${reference.name} from it.`);
    }
    const names = external.get(from) ?? new Set();
    if (!names.has(reference.name) && taken.has(reference.name)) throw new Error(`${reference.name} has two meanings.`);
    taken.add(reference.name);
    external.set(from, names.add(reference.name));
    return reference.name;
  }

  /** @param {string} path @param {string} name @param {string} text */
  function includeDeclaration(path, name, text) {
    const key = `${path} ${name}`;
    const known = included.get(key);
    if (known) return known.name;
    let unique = name;
    for (let count = 2; taken.has(unique); count++) unique = `${name}_${count}`;
    taken.add(unique);
    const result = { name: unique, text: "" };
    included.set(key, result);
    const { declared, imported } = getModule(path);
    // A property with the same name as a declaration counts as a reference to it. At worst, the output contains
    // declarations that it doesn't need.
    result.text = text.replace(/\/\*\*[\s\S]*?\*\/|(?<![.\w$])[A-Za-z_$][\w$]*/g, (word) =>
      declared.has(word) || imported.has(word) ? include(path, word) : word,
    );
    return unique;
  }

  const exports = [...getModule(entry).exported.keys()].map((name) => {
    const unique = include(entry, name);
    return unique === name ? name : `${unique} as ${name}`;
  });
  const imports = [...external].map(([from, names]) => `import type { ${[...names].join(", ")} } from "${from}";`);
  return `${[...imports, ...[...included.values()].map(({ text }) => text.trim())].join("\n")}\nexport { ${exports.join(", ")} };\n`;
}
