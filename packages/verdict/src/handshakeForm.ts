/** Which form of Valve's handshake a game has. */

const FORMS: ReadonlyMap<number, "source" | "csgo"> = new Map([
  ...[220, 240, 300, 320, 360, 440, 500, 550, 630, 4000].map((appId) => [appId, "source"] as const),
  [4_465_480, "csgo"]
])

/** The form for a game, by its Steam app id: the form of Source 2013's family, that of CS:GO, or `undefined` if the game has none that we know. */
export const handshakeForm = (appId: number | undefined): "source" | "csgo" | undefined =>
  appId === undefined ? undefined : FORMS.get(appId)
