/** Stores result lines in a temporary file until their verdicts are known. The lines of a million servers would not fit into memory. */
import { createReadStream, createWriteStream } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { once } from "node:events"
import type { ResultLine } from "../scan/resultLine.ts"

export class WaitingLines {
  private readonly folder: string
  private readonly stream: ReturnType<typeof createWriteStream>

  private constructor(folder: string) {
    this.folder = folder
    this.stream = createWriteStream(join(folder, "lines"), { mode: 0o600, highWaterMark: 1 << 20 })
  }

  static async open(): Promise<WaitingLines> {
    return new WaitingLines(await mkdtemp(join(tmpdir(), "sourcewire-verdict-")))
  }

  /** Adds lines to the file. The caller must wait for the promise before it adds further lines. */
  async add(lines: ReadonlyArray<ResultLine>): Promise<void> {
    const hasRoom = this.stream.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
    if (!hasRoom) await once(this.stream, "drain")
  }

  /** Yields all lines in the order in which they were added. After this call, no more lines can be added. */
  async *read(): AsyncGenerator<ResultLine> {
    this.stream.end()
    await once(this.stream, "finish")
    const lines = createInterface({ input: createReadStream(join(this.folder, "lines")), crlfDelay: Infinity })
    for await (const text of lines) yield JSON.parse(text) as ResultLine
  }

  async close(): Promise<void> {
    this.stream.destroy()
    await rm(this.folder, { recursive: true, force: true })
  }
}
