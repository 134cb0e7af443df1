/**
 * Computes the Burrows–Wheeler transform of a bzip2 block. It sorts the rotations of the block by prefix doubling, with one counting sort
 * per pass.
 *
 * For every input of n bytes, sorting takes O(n log n) steps. Therefore players cannot slow down the
 * compression by their choice of names. A suffix-array algorithm would be faster for large files, but a typical reply has only about 20 kB.
 *
 * @module
 */

/** Returns the last column of the sorted rotations of `block`, and the index of the row that equals the block. */
export const blockSort = (block: Uint8Array): { readonly last: Uint8Array; readonly origin: number } => {
  const n = block.length
  const order = new Int32Array(n)
  const next = new Int32Array(n)
  let rank = new Int32Array(block)
  let nextRank = new Int32Array(n)
  const counts = new Int32Array(Math.max(256, n) + 1)
  for (let i = 0; i < n; i++) order[i] = i
  // Initially, the rank of a rotation is its first byte.
  for (let width = 0, classes = 0; width < n && classes < n; width = Math.max(1, 2 * width)) {
    // The rotations are already sorted by their first `width` bytes. Replace each rotation in this list by the rotation that starts `width`
    // bytes earlier. The new list is then sorted by the second `width` bytes of its rotations.
    for (let i = 0; i < n; i++) {
      const shifted = order[i]! - width
      next[i] = shifted < 0 ? shifted + n : shifted
    }
    counts.fill(0)
    for (let i = 0; i < n; i++) counts[rank[i]! + 1]!++
    for (let c = 1; c < counts.length; c++) counts[c]! += counts[c - 1]!
    for (let i = 0; i < n; i++) order[counts[rank[next[i]!]!]!++] = next[i]!
    nextRank[order[0]!] = 0
    classes = 1
    for (let i = 1; i < n; i++) {
      const here = order[i]!
      const before = order[i - 1]!
      if (rank[here] !== rank[before] || rank[(here + width) % n] !== rank[(before + width) % n]) classes++
      nextRank[here] = classes - 1
    }
    ;[rank, nextRank] = [nextRank, rank]
  }

  const last = new Uint8Array(n)
  let origin = 0
  for (let i = 0; i < n; i++) {
    const start = order[i]!
    if (start === 0) origin = i
    last[i] = block[start === 0 ? n - 1 : start - 1]!
  }
  return { last, origin }
}
