/** Reads the pages of the built site, and finds the files that a page loads and the targets of its links. */
import { readFileSync, readdirSync } from "node:fs"
import { join, posix } from "node:path"
import { gzipSync } from "node:zlib"

export interface Page {
  /** Path from the site's folder, with forward slashes. */
  readonly path: string
  readonly html: string
}

/** Returns whether a file is a page of this build. The playground is built separately, and has its own tests. */
const isOurs = (path: string): boolean => path.endsWith(".html") && !path.startsWith("playground/")

/** Reads all pages of this build. */
export const readPages = (site: string): ReadonlyArray<Page> =>
  (readdirSync(site, { recursive: true }) as Array<string>)
    .map((path) => path.replaceAll("\\", "/"))
    .filter(isOurs)
    .map((path) => ({ path, html: readFileSync(join(site, path), "utf8") }))

/** Matches each tag whose address the browser loads without an action of the user. */
const LOADED = /<(?:script|img|link)\b[^>]*?\s(?:src|href)="([^"]+)"[^>]*>/g

/** Returns the addresses that a page loads immediately. Icons, lazy images, prefetch hints and `data:` addresses are excluded. */
export const loadedBy = ({ html }: Page): ReadonlyArray<string> =>
  [...html.matchAll(LOADED)]
    .filter(([tag]) => !/rel="(prefetch|icon)"|loading="lazy"/.test(tag))
    .map(([, address]) => address!)
    .filter((address) => !address.startsWith("data:"))

/** Returns the addresses that a page links to. */
export const findLinks = ({ html }: Page): ReadonlyArray<string> =>
  [...html.matchAll(/<a\b[^>]*?\shref="([^"]+)"/g)].map(([, address]) => address!.replaceAll("&amp;", "&"))

export const findIds = ({ html }: Page): ReadonlySet<string> =>
  new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id!))

/**
 * Converts an address on a page to a path of the site and a fragment. Returns `undefined` if the address is not on the host of the site.
 */
export const resolveLink = (
  page: string,
  address: string,
  base: string
): { readonly path: string; readonly id: string } | undefined => {
  const url = new URL(address, new URL(page, `http://site.invalid${base}`))
  if (url.host !== "site.invalid") return undefined
  if (!url.pathname.startsWith(base)) return { path: `outside ${base}: ${url.pathname}`, id: "" }
  const path = decodeURIComponent(url.pathname.slice(base.length))
  return {
    path: path === "" || path.endsWith("/") ? posix.join(path, "index.html") : path,
    id: decodeURIComponent(url.hash.slice(1))
  }
}

export const gzippedBytes = (file: string): number => gzipSync(readFileSync(file), { level: 9 }).length
