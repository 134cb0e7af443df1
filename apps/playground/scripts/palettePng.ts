/**
 * Makes a PNG small by giving it a palette: a picture of a page has few colours but for the edges of its letters. Reads what browsers
 * write (eight bits a channel, not interlaced) and nothing else.
 *
 * @module
 */
import { crc32, deflateSync, inflateSync } from "node:zlib"

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const MAX_COLOURS = 256

/** The same picture with 256 colours at most: the most frequent, and for each other one the nearest of them. */
export const withPalette = (png: Buffer): Buffer => {
  const { bytesPerPixel, height, pixels, width } = read(png)
  const counts = new Map<number, number>()
  for (let at = 0; at < pixels.length; at += bytesPerPixel) {
    const colour = colourAt(pixels, at)
    counts.set(colour, (counts.get(colour) ?? 0) + 1)
  }
  const palette = [...counts]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, MAX_COLOURS)
    .map(([colour]) => colour)
  const places = new Map(palette.map((colour, place) => [colour, place]))
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const colour = colourAt(pixels, (y * width + x) * bytesPerPixel)
      let place = places.get(colour)
      if (place === undefined) places.set(colour, (place = nearest(palette, colour)))
      rows[y * (width + 1) + 1 + x] = place
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits, palette.
  header.set([8, 3], 8)
  const colours = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 0xff, colour & 0xff]))
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("PLTE", colours),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0))
  ])
}

const colourAt = (pixels: Buffer, at: number): number => (pixels[at]! << 16) | (pixels[at + 1]! << 8) | pixels[at + 2]!

const nearest = (palette: ReadonlyArray<number>, colour: number): number => {
  let best = 0
  let least = Number.POSITIVE_INFINITY
  for (const [place, one] of palette.entries()) {
    const red = (one >> 16) - (colour >> 16)
    const green = ((one >> 8) & 0xff) - ((colour >> 8) & 0xff)
    const blue = (one & 0xff) - (colour & 0xff)
    const distance = 2 * red * red + 4 * green * green + 3 * blue * blue
    if (distance < least) [best, least] = [place, distance]
  }
  return best
}

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data])
  const out = Buffer.alloc(body.length + 8)
  out.writeUInt32BE(data.length, 0)
  body.copy(out, 4)
  out.writeUInt32BE(crc32(body), body.length + 4)
  return out
}

const read = (png: Buffer) => {
  const parts: Array<Buffer> = []
  for (let at = SIGNATURE.length; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString("latin1", at + 4, at + 8) === "IDAT")
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  }
  const width = png.readUInt32BE(16)
  const height = png.readUInt32BE(20)
  const bytesPerPixel = png[25] === 6 ? 4 : 3
  const pixels = unfiltered(inflateSync(Buffer.concat(parts)), width * bytesPerPixel, height, bytesPerPixel)
  return { width, height, bytesPerPixel, pixels }
}

/** Undoes the five filters of PNG, each of which predicts a byte from its left, upper and upper left neighbours. */
const unfiltered = (raw: Buffer, stride: number, height: number, bytesPerPixel: number): Buffer => {
  const pixels = Buffer.alloc(stride * height)
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)]
    for (let x = 0; x < stride; x++) {
      const left = x < bytesPerPixel ? 0 : pixels[y * stride + x - bytesPerPixel]!
      const up = y === 0 ? 0 : pixels[(y - 1) * stride + x]!
      const corner = x < bytesPerPixel || y === 0 ? 0 : pixels[(y - 1) * stride + x - bytesPerPixel]!
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter ?? 0] ?? 0
      pixels[y * stride + x] = raw[y * (stride + 1) + 1 + x]! + predicted
    }
  }
  return pixels
}

const paeth = (left: number, up: number, corner: number): number => {
  const guess = left + up - corner
  const [byLeft, byUp, byCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)]
  if (byLeft <= byUp && byLeft <= byCorner) return left
  return byUp <= byCorner ? up : corner
}
