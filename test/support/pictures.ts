/** Whole pictures of 12 by 7 pixels, made with Pillow; the animations have three frames. */
export const pictures = {
  png: bytesOf(
    "iVBORw0KGgoAAAANSUhEUgAAAAwAAAAHCAIAAACz0DtzAAAAGUlEQVR4nGNkYEgRYWDAj1gY5BgIgiGrCACaHwIOpC21AAAAAABJRU5ErkJggg" +
      "==",
  ),
  jpeg: bytesOf(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5aYV" +
      "pQYEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT0//wAARCAAH" +
      "AAwDASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhBy" +
      "JxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKT" +
      "lJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAA" +
      "AAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRom" +
      "JygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExc" +
      "bHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwDJs9BXjgVsxaCuwcCiiuSvial9x5Vi6vJuf//Z",
  ),
  progressive: bytesOf(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5aYV" +
      "pQYEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT0//wgARCAAH" +
      "AAwDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAVAQEBAAAAAAAAAAAAAAAAAAAAA//aAAwDAQACEAMQAAABksIv/8QAFxAAAw" +
      "EAAAAAAAAAAAAAAAAAAAEDAv/aAAgBAQABBQLEBQP/xAAYEQACAwAAAAAAAAAAAAAAAAAAAgMEEf/aAAgBAwEBPwGrK2H/xAAWEQEBAQAAAAAA" +
      "AAAAAAAAAAACAAP/2gAIAQIBAT8Beiv/xAAUEAEAAAAAAAAAAAAAAAAAAAAQ/9oACAEBAAY/Aj//xAAWEAEBAQAAAAAAAAAAAAAAAAAAARH/2g" +
      "AIAQEAAT8hijj/2gAMAwEAAgADAAAAEH//xAAVEQEBAAAAAAAAAAAAAAAAAAAAQf/aAAgBAwEBPxC+/8QAFhEAAwAAAAAAAAAAAAAAAAAAABEx" +
      "/9oACAECAQE/EHqf/8QAFxAAAwEAAAAAAAAAAAAAAAAAAAEhEf/aAAgBAQABPxCCIyYj/9k=",
  ),
  lossy: bytesOf(
    "UklGRkQAAABXRUJQVlA4IDgAAACwAQCdASoMAAcAAsBMJbACdAEOtXEwAP70oN8mmrNz450xKCFNmnBfOPLjl1/b99xv+vg2e9wAAA==",
  ),
  lossless: bytesOf("UklGRiwAAABXRUJQVlA4TB8AAAAvC4ABAJmM6H9sIqL/ASEBYYn/SyUDhmLIYgKQqmwAAA=="),
  translucent: bytesOf(
    "UklGRmgAAABXRUJQVlA4WAoAAAAQAAAACwAABgAAQUxQSAoAAAABB1C8iAhERP8DVlA4IDgAAACwAQCdASoMAAcAAsBMJbACdAEOtXEwAP70oN" +
      "8mmrNz450xKCFNmnBfOPLjl1/b99xv+vg2e9wAAA==",
  ),
  animatedWebp: bytesOf(
    "UklGRggBAABXRUJQVlA4WAoAAAACAAAACwAABgAAQU5JTQYAAAAAAAAAAABBTk1GPAAAAAAAAAAAAAsAAAYAADIAAAJWUDggJAAAAFABAJ0BKg" +
      "wABwACwEwlnAAEdAAA/vgFP+14HNJ8we23loAAAEFOTUZGAAAAAAAAAAAACwAABgAAMgAAAFZQOCAuAAAAVAEAnQEqDAAHAAAATCWQAAT9gAD+" +
      "9kFf++fqVrsi0lfE9yfpe/+R2EN2CAAAAEFOTUZKAAAAAAAAAAAACwAABgAAMgAAAFZQOCAyAAAAVAEAnQEqDAAHAAAATCWwAAR0AAD+8+Ef7c" +
      "f4v3qmBHXL/1Udjk5//3B/TD/TDPAAAAA=",
  ),
  animatedPng: bytesOf(
    "iVBORw0KGgoAAAANSUhEUgAAAAwAAAAHCAIAAACz0DtzAAAACGFjVEwAAAADAAAAAM7tusAAAAAaZmNUTAAAAAAAAAAMAAAABwAAAAAAAAAAAD" +
      "ID6AAAEfwdawAAABFJREFUeJxjYBgQ8H9grMUKAIx3AQAs/ngnAAAAGmZjVEwAAAABAAAADAAAAAcAAAAAAAAAAAAyA+gAAIqP978AAAAeZmRB" +
      "VAAAAAJ4nGM0YiAMmIhQQ6qic/9xKmKkr5sARxsCPsi0SCAAAAAaZmNUTAAAAAMAAAAMAAAABwAAAAAAAAAAADID6AAAZxkkVgAAAB5mZEFUAA" +
      "AABHicY0xhIAyYiFBDhqI5/7ErYqSvmwBvNgJwi49xKQAAAABJRU5ErkJggg==",
  ),
} as const

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.fromBase64(base64)
}

/** A PNG of these sides whose pixels are only announced, with this text in it. */
export function pngOf({
  width = 1,
  height = 1,
  frames = [] as readonly Frame[],
  text = "",
} = {}): Uint8Array<ArrayBuffer> {
  return joined(
    pictures.png.subarray(0, 8),
    chunk("IHDR", uint32(width), uint32(height), new Uint8Array([8, 2, 0, 0, 0])),
    chunk("tEXt", Buffer.from(`Comment\0${text}`)),
    ...frames.map(({ width, height, left = 0, top = 0 }) =>
      chunk("fcTL", ...[0, width, height, left, top].map((value) => uint32(value)), new Uint8Array(6)),
    ),
    chunk("IDAT", new Uint8Array(9)),
    chunk("IEND"),
  )
}

export interface Frame {
  readonly width: number
  readonly height: number
  readonly left?: number
  readonly top?: number
}

function chunk(type: string, ...parts: readonly Uint8Array[]): Uint8Array {
  const named = joined(Buffer.from(type), ...parts)
  return joined(uint32(named.length - 4), named, uint32(Bun.hash.crc32(named)))
}

/** A WebP animation of these sides, and frames of lossless pixels that are only announced. */
export function webpOf({ width, height }: Frame, frames: readonly Frame[]): Uint8Array<ArrayBuffer> {
  const inside = joined(
    Buffer.from("WEBP"),
    riff("VP8X", uint32(2, true), uint24(width - 1), uint24(height - 1)),
    riff("ANIM", new Uint8Array(6)),
    ...frames.map(({ width, height, left = 0, top = 0 }) =>
      riff(
        "ANMF",
        ...[left / 2, top / 2, width - 1, height - 1, 100].map(uint24),
        new Uint8Array(1),
        riff("VP8L", new Uint8Array([0x2f]), uint32((width - 1) | ((height - 1) << 14), true)),
      ),
    ),
  )
  return joined(Buffer.from("RIFF"), uint32(inside.length, true), inside)
}

function riff(name: string, ...parts: readonly Uint8Array[]): Uint8Array {
  const data = joined(...parts)
  return joined(Buffer.from(name), uint32(data.length, true), data, new Uint8Array(data.length % 2))
}

function uint32(value: number, isLittle = false): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value, isLittle)
  return bytes
}

const uint24 = (value: number): Uint8Array => uint32(value, true).subarray(0, 3)

function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.concat(parts))
}
