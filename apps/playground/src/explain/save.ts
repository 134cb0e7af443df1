/** Offers a file that the page has created as a download. */

export const save = (name: string, parts: Array<BlobPart>, type: string): void => {
  const url = URL.createObjectURL(new Blob(parts, { type }))
  const anchor = document.createElement("a")
  anchor.href = url
  anchor.download = name
  anchor.click()
  // The URL is revoked after a delay, because the browser reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
