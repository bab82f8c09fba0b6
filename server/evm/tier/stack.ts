/**
 * The compiler's model of the frame's stack within a block: the word at each place, and the words that are already in
 * memory. Until a word is written, memory still contains the word from the start of the block.
 */
import { type Emitter, local, type Slot, type Word, wordBytes } from "@/server/evm/tier/emitter";

export type Stack = {
  /** Words by place. Deeper words that the block doesn't touch are only in memory. */
  items: Map<number, Word>;
  image: Map<number, Word>;
  /** The place of the top word. */
  top: number;
  /** The frame's memory is known to have at least this many bytes. */
  memory: number;
  /**
   * The stack bounds that have been checked so far: the minimum number of words on the stack when the block begins, and
   * the maximum number of words by which it grows from there.
   */
  need: number;
  growth: number;
};

export function createStack(): Stack {
  return { items: new Map(), image: new Map(), top: 0, memory: 0, need: 0, growth: 0 };
}

function slotWord(place: number): Word {
  const slot = (limb: number): Slot => ({ place, limb });
  return [slot(0), slot(1), slot(2), slot(3)];
}

/** The word at the place, which must not be above the top. */
export function wordAt(stack: Stack, place: number): Word {
  let word = stack.items.get(place);
  if (!word) {
    word = slotWord(place);
    stack.items.set(place, word);
    stack.image.set(place, word);
  }
  return word;
}

export function pop(stack: Stack): Word {
  const word = wordAt(stack, stack.top);
  stack.items.delete(stack.top--);
  return word;
}

export function push(stack: Stack, word: Word): void {
  stack.items.set(++stack.top, word);
}

/** Pushes a word that the machine has already written to memory. */
export function pushFromMachine(stack: Stack): void {
  const word = slotWord(++stack.top);
  stack.items.set(stack.top, word);
  stack.image.set(stack.top, word);
}

/** Writes every word at or above this place to memory, unless it is already there. */
export function flush(emitter: Emitter, stack: Stack, from = Number.NEGATIVE_INFINITY): void {
  const changed = [...stack.items].filter(([place, word]) => place >= from && stack.image.get(place) !== word);
  // Reads all words before writing any of them, because a write may overwrite the place that another word is read from.
  for (const [, word] of changed) emitter.readAll(word);
  for (const [place, word] of changed) {
    for (const [index, limb] of emitter.readAll(word).entries()) {
      emitter.get(local.sp);
      emitter.value(limb);
      emitter.store("i64", emitter.bias + place * wordBytes + index * 8);
    }
    stack.image.set(place, word);
  }
}

/** Makes a copy for a path that leaves the block, because a word that is read on one path isn't read on the other. */
export function copyStack(stack: Stack): Stack {
  const copies = new Map<Word, Word>();
  const copy = (word: Word) => {
    let made = copies.get(word);
    if (!made) {
      made = [...word];
      copies.set(word, made);
    }
    return made;
  };
  const copyAll = (words: Map<number, Word>) => new Map([...words].map(([place, word]) => [place, copy(word)]));
  return { ...stack, items: copyAll(stack.items), image: copyAll(stack.image) };
}
