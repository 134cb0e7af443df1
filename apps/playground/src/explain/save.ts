/** Downloads a file whose content the page has created. */

export const save = (name: string, parts: Array<BlobPart>, type: string): void => {
  const url = URL.createObjectURL(new Blob(parts, { type }))
  const anchor = document.createElement("a")
  anchor.href = url
  anchor.download = name
  anchor.click()
  // The URL is revoked after a delay, because the browser still reads the file after `click()` has returned.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
