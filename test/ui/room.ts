import type { Page } from "playwright-core"

/** Pixels that one would have to move sideways, beside the room that is kept for a scroll bar. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame)
    // What follows the size of its place, as a chart does, is drawn anew with the next frame.
    await frame()
    await frame()
    return Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)
  })

/** As a browser that is set to text twice as large. */
export const enlargeText = (page: Page): Promise<void> =>
  page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"))

/** Text that cannot be read whole, however one scrolls: an edge hides a part of it, or it leaves its button. */
export const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const { currentNode: text } = texts
      const chain = parentsOf(text)
      if (text.textContent?.trim() && chain.every(isSeen)) look(text, chain)
    }
    return found

    function look(text: Node, chain: readonly Element[]) {
      const range = document.createRange()
      range.selectNodeContents(text)
      for (const box of chain) {
        const { overflowX, overflowY, display } = getComputedStyle(box)
        if (display === "inline" || display === "contents") continue
        const isButton = box.matches("button, a.btn, label")
        const edge = box.getBoundingClientRect()
        const isCut = [...range.getClientRects()].some((line) => {
          // A line of letters is higher than the room that lines are given.
          const lead = line.height / 8
          const isBeside = line.left < edge.left - 1 || line.right > edge.right + 1
          const isBelow = line.top < edge.top - lead || line.bottom > edge.bottom + lead
          return (isBeside && (isButton || hides(overflowX))) || (isBelow && (isButton || hides(overflowY)))
        })
        if (isCut) found.push(`${text.textContent} in <${box.localName} class="${box.className}">`)
        if (isCut || /auto|scroll/.test(overflowX + overflowY)) return
      }
    }

    function parentsOf(node: Node): Element[] {
      const parent = node.parentElement
      return parent === null ? [] : [parent, ...parentsOf(parent)]
    }

    function isSeen(box: Element): boolean {
      // The wall puts whole lines for which there is no room beside the glass.
      const isAside = box.matches("option, script, .wall-before")
      return !isAside && box.checkVisibility({ visibilityProperty: true }) && getComputedStyle(box).clipPath === "none"
    }

    function hides(overflow: string): boolean {
      return overflow === "hidden" || overflow === "clip"
    }
  })

/** What fields say or hint at and have no room for. */
export const cutOffInFields = (page: Page): Promise<string[]> =>
  page.locator("input:visible, select:visible").evaluateAll((fields) =>
    (fields as (HTMLInputElement | HTMLSelectElement)[]).flatMap((field) => {
      const style = getComputedStyle(field)
      const text = "selectedOptions" in field ? field.selectedOptions[0]?.text : field.value || field.placeholder
      const room = field.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight)
      const context = document.createElement("canvas").getContext("2d")
      if (!text || context === null || field.clientWidth < 2) return []
      // The shorthand is empty where figures are tabular.
      context.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`
      return context.measureText(text).width > room + 1 ? [text] : []
    }),
  )
