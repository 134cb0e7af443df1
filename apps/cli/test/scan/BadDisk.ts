/**
 * A folder in memory that behaves like a folder on a faulty disk. It simulates a full disk, a read-only disk, flushes that fail, and power
 * failures during a call. A power failure loses some or all of the data that was not flushed. For the files in this folder, the class
 * replaces `node:fs/promises`.
 */
import fs from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { dirname } from "node:path"

/** Faults of the disk. Each share is the probability that the fault occurs in a call. */
export interface DiskFaults {
  /** Share of writes that fail with ENOSPC after some of the bytes were written. */
  readonly full?: number
  /** Share of files that cannot be created, because the disk is read-only. */
  readonly readOnly?: number
  /** Share of flushes that fail. */
  readonly failing?: number
  /** Share of calls at which the power fails. */
  readonly powerless?: number
}

interface Content {
  text: string
  flushed: string
}

const FOLDER = "/bad disk"

const fault = (code: string): Error => Object.assign(new Error(`${code}: the disk says no`), { code })

export class BadDisk implements Disposable {
  readonly file = `${FOLDER}/state.json`
  private readonly faults: DiskFaults
  private readonly random: () => number
  private names = new Map<string, Content>()
  /** The files that the folder contained at its last flush. After some power failures, the folder contains only these files. */
  private flushedNames = new Map<string, Content>()
  private isOff = false
  private readonly real = { ...fs.promises }

  constructor(faults: DiskFaults, random: () => number) {
    this.faults = faults
    this.random = random
    const { real } = this
    const here = (file: unknown): boolean => typeof file === "string" && (file === FOLDER || dirname(file) === FOLDER)
    const calls = {
      lstat: async (file: string) => {
        this.call()
        this.contentOf(file)
        return { mode: 0o600, isFile: () => true, isSymbolicLink: () => false }
      },
      open: async (file: string, flags: string) => (flags === "r" ? this.folder() : this.create(file)),
      readFile: async (file: string) => {
        this.call()
        return this.contentOf(file).text
      },
      rename: async (from: string, to: string) => {
        this.call()
        this.names.set(to, this.contentOf(from))
        this.names.delete(from)
      },
      rm: async (file: string) => {
        this.call()
        this.names.delete(file)
      }
    }
    for (const [name, call] of Object.entries(calls) as ReadonlyArray<
      [keyof typeof calls, (...args: never) => unknown]
    >)
      Object.assign(fs.promises, {
        [name]: (...args: never) => (here(args[0]) ? call : (real[name] as typeof call))(...args)
      })
    syncBuiltinESMExports()
  }

  get hasFailed(): boolean {
    return this.isOff
  }

  /** Restores the power. Some of the data that was not flushed may remain. */
  restart(): void {
    if (!this.isOff) return
    this.isOff = false
    this.names = new Map(this.random() < 0.5 ? this.names : this.flushedNames)
    this.flushedNames = new Map(this.names)
    for (const content of this.names.values()) {
      const { flushed, text } = content
      content.text = flushed === text ? text : text.slice(0, Math.floor(this.random() * text.length))
      content.flushed = content.text
    }
  }

  [Symbol.dispose](): void {
    Object.assign(fs.promises, this.real)
    syncBuiltinESMExports()
  }

  private happens(share = 0): boolean {
    return share > 0 && this.random() < share
  }

  private call(): void {
    if (this.happens(this.faults.powerless)) this.isOff = true
    if (this.isOff) throw fault("EIO")
  }

  private contentOf(file: string): Content {
    const content = this.names.get(file)
    if (content === undefined) throw fault("ENOENT")
    return content
  }

  private folder() {
    this.call()
    const sync = async () => {
      this.call()
      this.flushedNames = new Map(this.names)
    }
    return { sync, [Symbol.asyncDispose]: async () => {} }
  }

  private create(file: string) {
    this.call()
    if (this.happens(this.faults.readOnly)) throw fault("EROFS")
    const content = { text: "", flushed: "" }
    this.names.set(file, content)
    return {
      writeFile: async (text: string) => {
        this.call()
        const isFull = this.happens(this.faults.full)
        content.text = isFull ? text.slice(0, Math.floor(this.random() * text.length)) : text
        if (isFull) throw fault("ENOSPC")
      },
      sync: async () => {
        this.call()
        if (this.happens(this.faults.failing)) throw fault("EIO")
        content.flushed = content.text
      },
      close: async () => {}
    }
  }
}
