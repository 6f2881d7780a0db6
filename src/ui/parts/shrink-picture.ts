/** Enough for the largest place of each on a high-resolution screen, in pixels. */
const pictureSizes = {
  avatar: { width: 256, height: 256 },
  cover: { width: 640, height: 400 },
}
/** The server's limit. */
const maxBytes = 65_536
const qualities = [0.9, 0.75, 0.5]

/** The centre of a picture, scaled down to a small JPEG; null if the browser cannot decode the file. */
export async function shrinkPicture(file: Blob, size: keyof typeof pictureSizes): Promise<Blob | null> {
  const picture = await createImageBitmap(file).catch(() => null)
  if (picture === null) return null
  const canvas = document.createElement("canvas")
  const { width, height } = pictureSizes[size]
  canvas.width = width
  canvas.height = height
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
  const { width, height } = context.canvas
  const scale = Math.min(picture.width / width, picture.height / height)
  const part = { width: width * scale, height: height * scale }
  const [left, top] = [(picture.width - part.width) / 2, (picture.height - part.height) / 2]
  // JPEG has no transparency; without this, transparent areas would turn black.
  context.fillStyle = "white"
  context.fillRect(0, 0, width, height)
  context.imageSmoothingQuality = "high"
  context.drawImage(picture, left, top, part.width, part.height, 0, 0, width, height)
}
