/** Reads a file that contains a secret. */
import { readFile } from "node:fs/promises"

const MAX_SECRET_BYTES = 4096

/** Reads a secret from a file that must contain only one line. Error messages do not contain the content of the file. */
export const secretIn = async (file: string): Promise<string> => {
  const text = await readFile(file, "utf8").catch((cause: NodeJS.ErrnoException) => {
    throw new Error(`${file} cannot be read (${cause.code ?? "unknown reason"})`)
  })
  const secret = text.replace(/^\ufeff/, "").trim()
  if (secret === "" || secret.length > MAX_SECRET_BYTES || /[\r\n]/.test(secret)) {
    throw new Error(`${file} must contain one line with the secret`)
  }
  return secret
}
