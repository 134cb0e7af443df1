/** Certificates for tests. */
import { spawnSync } from "node:child_process"
import { externalProgram } from "../../../tooling/testing/externalProgram.ts"

const openssl = externalProgram("openssl", "openssl")

/** True if the program `openssl` exists, so {@link certify} can create certificates. */
export const canCertify = openssl !== undefined

/**
 * Writes a key (`NAME.key`) and a self-signed certificate (`NAME.crt`) to a directory. The certificate is valid for one day. `more` contains
 * additional options of `openssl req`.
 */
export const certify = (directory: string, name: string, ...more: ReadonlyArray<string>): void => {
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", `${name}.key`]
  const options = [...key, "-out", `${name}.crt`, "-subj", `/CN=${name}`, "-days", "1", ...more]
  const made = spawnSync(openssl!, ["req", "-x509", ...options], { cwd: directory, encoding: "utf8" })
  if (made.status !== 0) throw new Error(`openssl: ${made.stderr}`)
}
