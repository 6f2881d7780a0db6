/** Home may have to be loaded first. */
const patienceMs = 3000

/** Makes the box on home ready to type in, as soon as it is there. */
export function toGiveBox() {
  const begun = performance.now()
  const look = () => {
    const box = document.querySelector<HTMLElement>("#give input")
    if (box) box.focus()
    else if (performance.now() - begun < patienceMs) requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}
