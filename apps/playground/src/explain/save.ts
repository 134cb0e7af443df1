/** Saves a file that the page made. */

export const save = (name: string, parts: Array<BlobPart>, type: string): void => {
  const url = URL.createObjectURL(new Blob(parts, { type }))
  const anchor = document.createElement("a")
  anchor.href = url
  anchor.download = name
  anchor.click()
  // The download has its own reference by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
