import type { Locator, Page } from "playwright-core"

/** How many pixels the page is wider than the window. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame)
    // Charts follow the size of their container one frame later.
    await frame()
    await frame()
    return Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)
  })

/** Doubles the text size, as a browser setting does. */
export const enlargeText = (page: Page): Promise<void> =>
  page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"))

/** Words of these elements that are broken into several lines. */
export const brokenWords = (elements: Locator): Promise<string[]> =>
  elements.evaluateAll((found) =>
    found.flatMap((element) => {
      const broken: string[] = []
      const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
      while (texts.nextNode())
        for (const { 0: word, index } of texts.currentNode.textContent?.matchAll(/\S+/g) ?? []) {
          const range = document.createRange()
          range.setStart(texts.currentNode, index)
          range.setEnd(texts.currentNode, index + word.length)
          if (range.getClientRects().length > 1) broken.push(word)
        }
      return broken
    }),
  )

/** Texts that are clipped and cannot be scrolled into view, or that overflow their button. */
export const clippedTexts = (page: Page): Promise<string[]> =>
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
          // The line box of letters is higher than the line height.
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
      // The wall moves rows that do not fit completely off the screen.
      const isAside = box.matches("option, script, .wall-before")
      return !isAside && box.checkVisibility({ visibilityProperty: true }) && getComputedStyle(box).clipPath === "none"
    }

    function hides(overflow: string): boolean {
      return overflow === "hidden" || overflow === "clip"
    }
  })

/** Values and placeholders that are wider than their field. */
export const clippedFieldTexts = (page: Page): Promise<string[]> =>
  page.locator("input:not([type=checkbox], [type=radio]):visible, select:visible").evaluateAll((fields) =>
    (fields as (HTMLInputElement | HTMLSelectElement)[]).flatMap((field) => {
      const style = getComputedStyle(field)
      const text = "selectedOptions" in field ? field.selectedOptions[0]?.text : field.value || field.placeholder
      const room = field.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight)
      const context = document.createElement("canvas").getContext("2d")
      if (!text || context === null || field.clientWidth < 2) return []
      // The `font` shorthand is empty with tabular figures.
      context.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`
      return context.measureText(text).width > room + 1 ? [text] : []
    }),
  )
