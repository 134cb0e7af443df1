/** Creates a map with an empty room, for engines of the Quake 3 family, because the games' own maps are not free. */

const BOX = [-64, -64, -64, 64, 64, 64]

export const ints = (...values: ReadonlyArray<number>): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  values.forEach((value, i) => bytes.writeInt32LE(value, i * 4))
  return bytes
}

const floats = (...values: ReadonlyArray<number>): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  values.forEach((value, i) => bytes.writeFloatLE(value, i * 4))
  return bytes
}

const LEAF = ints(0, 0, ...BOX, 0, 0, 0, 0)

const LUMPS = 17
const HEADER_BYTES = 8 + LUMPS * 8

/** The smallest valid map: a shader, two planes, a node with two leaves, and a model without surfaces. */
export const emptyMap = (): Buffer => {
  const lumps: Array<Buffer> = Array.from({ length: LUMPS }, () => Buffer.alloc(0))
  lumps[0] = Buffer.from('{\n"classname" "worldspawn"\n}\n\0')
  lumps[1] = Buffer.concat([Buffer.from("textures/none".padEnd(64, "\0")), ints(0, 1)])
  lumps[2] = floats(1, 0, 0, 0, -1, 0, 0, 0)
  lumps[3] = ints(0, -1, -2, ...BOX)
  lumps[4] = Buffer.concat([LEAF, LEAF])
  lumps[7] = Buffer.concat([floats(...BOX), ints(0, 0, 0, 0)])
  let at = HEADER_BYTES
  const directory = lumps.flatMap((lump) => {
    const place = [at, lump.length]
    at += lump.length
    return place
  })
  return Buffer.concat([Buffer.from("IBSP"), ints(46, ...directory), ...lumps])
}
