/** The first bytes of what zstd compressed. */
const compressed = 0xfd2fb528

/** The bytes of a file that the executable embeds. Its build compresses some (`tooling/bundle/compressed.ts`). */
export async function embedded(path: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await Bun.file(path).bytes()
  const isCompressed = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true) === compressed
  return isCompressed ? Uint8Array.from(await Bun.zstdDecompress(bytes)) : bytes
}
