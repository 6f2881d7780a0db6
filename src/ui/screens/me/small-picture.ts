/** Enough for the largest face on the sharpest screen. */
const sidePixels = 256
/** The server's own limit. */
const maxBytes = 65_536
const qualities = [0.9, 0.75, 0.5]

/** The middle of a picture, small and square; null when the file is none that this browser can read. */
export async function smallPicture(file: Blob): Promise<Blob | null> {
  const picture = await createImageBitmap(file).catch(() => null)
  if (picture === null) return null
  const canvas = document.createElement("canvas")
  canvas.width = sidePixels
  canvas.height = sidePixels
  draw(canvas.getContext("2d"), picture)
  picture.close()
  for (const quality of qualities) {
    const small = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/jpeg", quality))
    if (small !== null && small.size <= maxBytes) return small
  }
  return null
}

function draw(context: CanvasRenderingContext2D | null, picture: ImageBitmap) {
  if (context === null) return
  const { width, height } = picture
  const side = Math.min(width, height)
  // JPEG has no transparency, and would make it black.
  context.fillStyle = "white"
  context.fillRect(0, 0, sidePixels, sidePixels)
  context.imageSmoothingQuality = "high"
  context.drawImage(picture, (width - side) / 2, (height - side) / 2, side, side, 0, 0, sidePixels, sidePixels)
}
