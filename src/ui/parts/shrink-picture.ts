/** Enough for the largest avatar or picture of a reward on a high-resolution screen. */
const sidePixels = 256
/** The server's limit. */
const maxBytes = 65_536
const qualities = [0.9, 0.75, 0.5]

/** The centre square of a picture, scaled down to a small JPEG; null if the browser cannot decode the file. */
export async function shrinkPicture(file: Blob): Promise<Blob | null> {
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
  // JPEG has no transparency; without this, transparent areas would turn black.
  context.fillStyle = "white"
  context.fillRect(0, 0, sidePixels, sidePixels)
  context.imageSmoothingQuality = "high"
  context.drawImage(picture, (width - side) / 2, (height - side) / 2, side, side, 0, 0, sidePixels, sidePixels)
}
