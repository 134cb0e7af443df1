/** Saves a file that the page has created. */

export const save = (name: string, parts: Array<BlobPart>, type: string): void => {
  const url = URL.createObjectURL(new Blob(parts, { type }))
  const anchor = document.createElement("a")
  anchor.href = url
  anchor.download = name
  anchor.click()
  // The download no longer needs the URL.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
