/**
 * Masks the secrets in a captured message, because a capture can contain passwords of other people. The secrets are:
 *
 * - passwords of RCON commands
 * - passwords and Steam tickets of joining clients
 * - passwords in log lines, and the secret at the beginning of a log line
 */
import { LogEntry } from "@sourcewire/core/log"
import { dissect, type Message } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import { type Decoded, type DecodeOptions, decodeDatagram } from "./decoded.ts"

const MASK = "********"
const STAR = 0x2a

/** The fields that contain secrets, for each type of message that has such fields. */
const SECRET_FIELDS: Readonly<Partial<Record<Message["_tag"], ReadonlyArray<string>>>> = {
  RconRequest: ["password"],
  ConnectRequest: ["password", "hashedKey", "ticket", "trailing"],
  CsgoConnectRequest: ["password", "rest"],
  SecretLogLine: ["secret"]
}

/** Returns a copy of a datagram. In the copy, asterisks replace the bytes of the fields whose names are in `secrets`. */
const starred = (bytes: Uint8Array, secrets: ReadonlyArray<string>): Uint8Array => {
  const copy = bytes.slice()
  for (const { length, offset, path: found } of dissect(bytes).fields) {
    if (secrets.includes(found)) copy.fill(STAR, offset, offset + length)
  }
  return copy
}

/**
 * Masks those fields of a message that `secrets` lists. A message can contain the same bytes twice: in the field `x`, and as hex in the
 * field `xHex`. If `secrets` contains `x`, both fields are masked.
 */
const masked = (message: Message, secrets: ReadonlyArray<string>): Message => {
  const isSecret = (key: string): boolean => secrets.some((secret) => key === secret || key === `${secret}Hex`)
  const entries = Object.entries(message).map(([key, value]) => [key, isSecret(key) ? MASK : (value as unknown)])
  return Object.fromEntries(entries) as Message
}

const withoutFields = (decoded: Decoded, message: Message, secrets: ReadonlyArray<string>): Decoded => ({
  ...decoded,
  result: Result.succeed(masked(message, secrets)),
  bytes: starred(decoded.bytes, secrets),
  ...(decoded.fields === undefined
    ? {}
    : { fields: decoded.fields.map((field) => (secrets.includes(field.path) ? { ...field, value: MASK } : field)) })
})

const ZERO = 0x30

/**
 * Replaces the secret of a log line with zeros. Asterisks do not work in a line without a date, because the parser recognizes the secret of
 * such a line only if the secret consists of digits.
 */
const withoutLogSecret = (datagram: Uint8Array): Uint8Array => {
  const secret = LogEntry.openDatagram(datagram)?.secret
  if (secret === undefined) return datagram
  const copy = datagram.slice()
  copy.fill(ZERO, secret.byteOffset - datagram.byteOffset, secret.byteOffset - datagram.byteOffset + secret.length)
  return copy
}

/** Decodes one complete datagram of a capture, and masks the secrets in the datagram. */
export const decodeMasked = (datagram: Uint8Array, options: DecodeOptions): Decoded => {
  const decoded = decodeDatagram(withoutLogSecret(LogEntry.withoutPasswords(datagram)), options)
  const { result } = decoded
  if (Result.isSuccess(result)) {
    const secrets = SECRET_FIELDS[result.success._tag]
    return secrets === undefined ? decoded : withoutFields(decoded, result.success, secrets)
  }
  const isSecret =
    "messageTag" in result.failure && SECRET_FIELDS[result.failure.messageTag as Message["_tag"]] !== undefined
  return isSecret ? { result, bytes: new Uint8Array(), ...(options.fields ? { fields: [] } : {}) } : decoded
}
