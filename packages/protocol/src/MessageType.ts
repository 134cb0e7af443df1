/**
 * The type bytes, with Valve's names. Text commands (`rcon`, `challenge rcon`, `log`) have no type byte: the text follows the header.
 *
 * Each type byte is a separate constant, not a property of an object. Therefore, if a program does not use a message, bundlers can remove
 * the declaration of this message.
 *
 * @module
 */
export const A2M_GET_SERVERS_BATCH2 = 0x31
export const S2C_CONNREJECT = 0x39
export const S2C_CHALLENGE = 0x41
export const S2C_CONNECTION = 0x42
export const S2A_PLAYER = 0x44
export const S2A_RULES = 0x45
export const S2A_INFO_SRC = 0x49
export const S2A_LOGSTRING = 0x52
export const S2A_LOGSTRING2 = 0x53
export const A2S_INFO = 0x54
export const A2S_PLAYER = 0x55
export const A2S_RULES = 0x56
export const A2S_SERVERQUERY_GETCHALLENGE = 0x57
export const M2A_SERVER_BATCH = 0x66
export const A2A_PING = 0x69
export const A2A_ACK = 0x6a
export const C2S_CONNECT = 0x6b
export const A2C_PRINT = 0x6c
export const S2A_INFO_DETAILED = 0x6d
export const A2S_GETCHALLENGE = 0x71
