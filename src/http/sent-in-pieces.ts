/**
 * A response whose pieces are read only as fast as the client takes them. `onEnd` is called when reading ends: at the end,
 * on an error, or when the client disconnects.
 */
export function sentInPieces(
  pieces: AsyncGenerator<string, void>,
  headers: Readonly<Record<string, string>>,
  onEnd: () => void,
): Response {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await pieces.next()
          if (!done) return controller.enqueue(encoder.encode(value))
        } catch (error) {
          onEnd()
          throw error
        }
        onEnd()
        controller.close()
      },
      async cancel() {
        onEnd()
        await pieces.return()
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { headers: { ...headers, "cache-control": "no-store" } })
}
