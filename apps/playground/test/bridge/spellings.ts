/** Lists different spellings of a path. A router could treat all of them as this path. */

/** Replaces one character of a path by its percent-encoded form, for example `a` by `%61`. */
const encoded = (path: string, index: number): string =>
  `${path.slice(0, index)}%${path.charCodeAt(index).toString(16).padStart(2, "0")}${path.slice(index + 1)}`

/**
 * Lists request targets that a router could treat as `path`. Each target has a text that describes its difference from `path`. The first
 * target is the path itself. `host` is `address:port`.
 */
export const listSpellings = (path: string, host: string): ReadonlyArray<readonly [what: string, target: string]> => {
  const [, api = "", ...names] = path.split("/")
  const rest = names.join("/")
  return [
    ["as it is", path],
    ["upper case", path.toUpperCase()],
    ["mixed case", `/Api/${rest}`],
    ["a capital at the end", `${path.slice(0, -1)}${path.slice(-1).toUpperCase()}`],
    ["a Kelvin sign for k", path.replace("k", "%E2%84%AA")],
    ["two slashes first", `/${path}`],
    ["three slashes first", `//${path}`],
    ["two slashes within", `/${api}//${rest}`],
    ["two slashes at the end", `${path}//`],
    ["a slash at the end", `${path}/`],
    ["a, encoded", encoded(path, 1)],
    ["A, encoded", `/%41pi/${rest}`],
    ["the last letter encoded", encoded(path, path.length - 1)],
    ["every letter encoded", path.replaceAll(/[a-z]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)],
    [
      "encoded in capitals",
      path.replaceAll(/[a-z]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
    ],
    ["encoded twice", `/%2561pi/${rest}`],
    ["slashes encoded", path.slice(1).replaceAll("/", "%2f").replace(/^/, "/")],
    ["the first slash encoded", `%2f${path.slice(1)}`],
    ["a slash encoded in front", `/%2f${path.slice(1)}`],
    ["a dot", `/./${path.slice(1)}`],
    ["a dot within", `/${api}/./${rest}`],
    ["two dots", `/../${path.slice(1)}`],
    ["into another folder and back", `/assets/..${path}`],
    ["back and forth within", `/${api}/x/../${rest}`],
    ["dots encoded", `/%2e/${path.slice(1)}`],
    ["two dots encoded", `/assets/%2e%2e${path}`],
    ["two dots, one encoded", `/assets/.%2e${path}`],
    ["overlong dots", `/assets/%c0%ae%c0%ae${path}`],
    ["an overlong slash", `/%c0%af${path.slice(1)}`],
    ["a parameter", `${path};x`],
    ["a parameter with a value", `${path};a=b`],
    ["a parameter within", `/${api};a=b/${rest}`],
    ["an empty parameter first", `/;${path}`],
    ["an empty query", `${path}?`],
    ["a query", `${path}?x=y`],
    ["a query with dots", `${path}?/../../index.html`],
    ["a query that is a file", `${path}?.css`],
    ["a query before", `/?${path}`],
    ["a query, encoded", `${path}%3fx`],
    ["a fragment", `${path}#x`],
    ["a fragment, encoded", `${path}%23x`],
    ["a file's ending", `${path}.json`],
    ["a dot at the end", `${path}.`],
    ["a space, encoded", `${path}%20`],
    ["a tab, encoded", `${path}%09`],
    ["a line's end, encoded", `${path}%0d%0a`],
    ["a zero, encoded", `${path}%00`],
    ["a zero first", `/%00${path}`],
    ["half an escape", `${path}%`],
    ["a wrong escape", `${path}%zz`],
    ["a backslash", path.replaceAll("/", "\\")],
    ["a backslash first", `/\\${path.slice(1)}`],
    ["a backslash within", `/${api}\\${rest}`],
    ["a backslash, encoded", `/${api}%5c${rest}`],
    ["no slash", path.slice(1)],
    ["the whole address", `http://${host}${path}`],
    ["the whole address in capitals", `HTTP://${host}${path}`],
    ["the whole address of another host", `http://evil.example${path}`],
    ["the whole address with a name before", `http://user@${host}${path}`],
    ["the whole address without a host", `http://${path}`],
    ["the whole address, broken", `http://[${path}`],
    ["the whole address with backslashes", `http://${host}${path.replaceAll("/", "\\")}`],
    ["the whole address, another scheme", `https://${host}${path}`],
    ["another scheme", `file://${path}`],
    ["no scheme", `//${host}${path}`],
    ["a byte above 127", `/\xe1pi/${rest}`],
    ["long", `${path}?${"a".repeat(12_000)}`],
    ["over-long", `${path}?${"a".repeat(20_000)}`],
    ["long with slashes", `${"/".repeat(8000)}${path.slice(1)}`],
    ["long with dots", `${"/.".repeat(4000)}${path}`]
  ]
}
