import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { mkdtempDisposable, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { readSecretFile } from "../../src/files/secretFile.ts"

const read = async (content: string): Promise<string> => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "secret-"))
  const file = join(folder.path, "secret")
  await writeFile(file, content)
  const result = await Effect.runPromise(Effect.result(readSecretFile(file, "password")))
  return Result.match(result, { onFailure: ({ message }) => message.replace(file, "FILE"), onSuccess: Redacted.value })
}

it.each([
  ["\ufeffcorrect horse\r\n", "correct horse"],
  ["x".repeat(4096), "x".repeat(4096)],
  ["\n", "FILE is empty. It must contain one line with the password."],
  ["one\ntwo\n", "FILE has more than one line. It must contain one line with the password."],
  ["x".repeat(4097), "FILE is larger than 4096 bytes. It must contain one line with the password."],
  ["ä".repeat(2100), "FILE is larger than 4096 bytes. It must contain one line with the password."]
])("reads a file with the content %j", async (content, expected) => {
  expect(await read(content)).toBe(expected)
})
