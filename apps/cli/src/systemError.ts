/**
 * Explains errors of the operating system in words. The original messages of these errors are not shown, because they contain names of
 * system calls, which do not help users.
 */

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or directory",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EISDIR: "it is a directory",
  ENOTDIR: "a part of the path is not a directory",
  EEXIST: "it exists already",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EROFS: "the disk is read-only",
  EIO: "the disk reports an error",
  EFBIG: "the file is too large",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
  ENAMETOOLONG: "the name is too long",
  ELOOP: "its symbolic links form a loop",
  EPIPE: "the reader has closed its end",
  EBADF: "it is closed",
  EADDRNOTAVAIL: "this host does not have that address",
  EAFNOSUPPORT: "this host does not support that kind of address",
  EBUSY: "another program uses it",
  EINVAL: "the operating system does not accept it",
  ENXIO: "there is no such device",
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was closed by the other side",
  ETIMEDOUT: "there was no reply in time",
  EHOSTUNREACH: "the host is unreachable",
  ENETUNREACH: "the network is unreachable",
  ENOTFOUND: "the name cannot be resolved",
  EAI_AGAIN: "no name server responded"
}

/**
 * Returns the reason why an operation failed, with the system's error code in brackets. The text has no full stop, because the caller
 * inserts it into a sentence.
 */
export const explainSystemError = (cause: unknown): string => {
  const { code, message } = (cause ?? {}) as { readonly code?: unknown; readonly message?: unknown }
  if (typeof code === "string" && /^E(?!RR_)[A-Z0-9_]+$/.test(code)) {
    return `${REASONS[code] ?? "the operating system reports an error"} [${code}]`
  }
  return typeof message === "string" ? message.replace(/\.$/, "") : String(cause)
}
