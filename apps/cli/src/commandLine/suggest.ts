/** Suggests a correction for a misspelt word. */

/**
 * The edit distance of two texts: the minimum number of changes that turn one text into the other. A change inserts, deletes or replaces a
 * character, or swaps two neighbouring characters.
 */
const distance = (a: string, b: string): number => {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => [i, ...Array.from({ length: b.length }, () => 0)])
  for (let j = 1; j <= b.length; j++) rows[0]![j] = j
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1
      let least = Math.min(rows[i - 1]![j]! + 1, rows[i]![j - 1]! + 1, rows[i - 1]![j - 1]! + change)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (isSwap) least = Math.min(least, rows[i - 2]![j - 2]! + 1)
      rows[i]![j] = least
    }
  }
  return rows[a.length]![b.length]!
}

/**
 * Returns the word with the smallest edit distance to the text, or `undefined` if no word is similar. A word is similar if its edit
 * distance to the text is within a limit. This limit is a third of the length of the word or of the text, whichever is shorter, rounded up.
 */
export const nearest = (text: string, words: ReadonlyArray<string>): string | undefined => {
  const [best] = words
    .map((word) => ({ word, far: distance(text.toLowerCase(), word.toLowerCase()) }))
    .filter(({ far, word }) => far <= Math.max(1, Math.ceil(Math.min(text.length, word.length) / 3)))
    .toSorted((a, b) => a.far - b.far)
  return best?.word
}

/** Returns ` Did you mean X?`, or an empty text if there is no suggestion. */
export const didYouMean = (word: string | undefined): string => (word === undefined ? "" : ` Did you mean ${word}?`)
