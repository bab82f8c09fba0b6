/** Shell completion for `tollscan`, generated from the tables of options and subcommands. */

import { listOptions } from "@/server/config/commandLine.mjs";
import { ConfigError } from "@/server/config/environment.mjs";
import { subcommands } from "@/server/node/subcommands";

const shells = ["bash", "zsh", "fish"] as const;

type Word = { word: string; meaning: string };

const toWords = (options: readonly { option?: string; meaning: string }[]): Word[] =>
  options.map(({ option, meaning }) => ({ word: `--${option}`, meaning }));

/** Lists sequences of words on the command line, each with the words that can follow it. */
function listContexts(): { after: string; words: Word[] }[] {
  const first = new Map(subcommands.map(({ words, meaning }) => [words.split(" ")[0]!, meaning]));
  return [
    {
      after: "",
      words: [
        ...[...first].map(([word, meaning]) => ({ word, meaning })),
        { word: "completion", meaning: "Print completion for a shell" },
        ...toWords(listOptions()),
      ],
    },
    { after: "completion", words: shells.map((word) => ({ word, meaning: `Print completion for ${word}` })) },
    { after: "store", words: [{ word: "copy", meaning: subcommands.at(-1)!.meaning }] },
    ...subcommands.map(({ words, options }) => ({ after: words, words: toWords(options) })),
  ];
}

/** The completion script, which the user evaluates in the shell. Throws ConfigError for an unknown shell. */
export function toCompletion(shell: string | undefined): string {
  if (shell === "bash") return toBash();
  if (shell === "zsh") return toZsh();
  if (shell === "fish") return toFish();
  const found = shell === undefined ? "no shell was given" : `"${shell}" was given`;
  throw new ConfigError(`tollscan completion needs bash, zsh or fish, but ${found}.`);
}

const toCases = () =>
  listContexts().map(({ after, words }) => `    "${after}") words="${words.map(({ word }) => word).join(" ")}" ;;`);

/**
 * The script for bash. It looks up what can follow the words between `tollscan` and the current word, up to the first
 * option.
 */
function toBash(): string {
  return `_tollscan() {
  local words context=() each
  for each in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $each == -* ]] && break
    context+=("$each")
  done
  case "\${context[*]}" in
${toCases().join("\n")}
    *) return ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _tollscan tollscan
`;
}

function toZsh(): string {
  return `#compdef tollscan
_tollscan() {
  local words_found each
  local -a context
  for each in "\${(@)words[2,CURRENT-1]}"; do
    [[ $each == -* ]] && break
    context+=("$each")
  done
  case "\${context[*]}" in
${toCases().join("\n").replaceAll("words=", "words_found=")}
  esac
  compadd -- \${=words_found}
  _files
}
compdef _tollscan tollscan
`;
}

function toFish(): string {
  const quote = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const lines = listContexts().flatMap(({ after, words }) => {
    const when = after === "" ? "__fish_use_subcommand" : `__fish_seen_subcommand_from ${after.split(" ").at(-1)}`;
    return words.map(({ word, meaning }) => {
      const what = word.startsWith("--") ? `-l ${word.slice(2)}` : `-f -a ${word}`;
      return `complete -c tollscan -n ${quote(when)} ${what} -d ${quote(meaning)}`;
    });
  });
  return `${lines.join("\n")}\n`;
}
