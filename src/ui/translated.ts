/** What the app does for a browser that translates its page. */
export function beTranslated(root: Element) {
  keepUntranslated(root)
  followTranslation(root)
}

/**
 * Lets the app go on when the browser translates the page. A translator puts a `<font>` with its words in place of a text. The app
 * still changes the text that is gone: nobody would see a new balance or name, and the next element would land in a wrong place.
 * So each text goes back beside its translation, empty, and the translation leaves when the text changes or goes.
 */
function followTranslation(root: Node) {
  /** Texts that are translated, with what they said. */
  const pairs = new Map<Text, { readonly shown: Element; readonly words: string }>()
  const observer = new MutationObserver((records) => {
    for (const { target } of records) if (target instanceof Text) drop(target)
    for (const [text, shown] of replacedIn(records)) pair(text, shown)
    for (const text of pairs.keys()) settle(text)
    observer.takeRecords() // of what this did itself
  })
  observer.observe(root, { subtree: true, childList: true, characterData: true })

  function pair(text: Text, shown: Element) {
    pairs.get(text)?.shown.remove() // it was translated once more
    const words = text.data || (pairs.get(text)?.words ?? "")
    if (shown.contains(text)) text.replaceWith(text.cloneNode())
    shown.before(text)
    text.data = ""
    pairs.set(text, { shown, words })
  }

  /** The text has changed. */
  function drop(text: Text) {
    pairs.get(text)?.shown.remove()
    pairs.delete(text)
  }

  function settle(text: Text) {
    const { shown, words } = pairs.get(text) ?? {}
    if (shown === undefined || words === undefined) return
    if (!text.isConnected) return drop(text)
    if (!shown.isConnected) {
      text.data = words // the reader wants the original again
      pairs.delete(text)
    } else if (shown.previousSibling !== text) text.after(shown)
  }
}

/** Texts with the elements that have taken their places. */
function replacedIn(records: readonly MutationRecord[]): [Text, Element][] {
  const added = records.flatMap((record) =>
    [...record.addedNodes].filter(isTranslation).map((node) => ({ node, record })),
  )
  const taken = new Set<Element>()
  return records.flatMap((removal) =>
    [...removal.removedNodes].flatMap((text): [Text, Element][] => {
      if (!(text instanceof Text)) return []
      const free = added.filter(({ node, record }) => !taken.has(node) && record.target === removal.target)
      const one =
        free.find(({ record }) => record === removal || record.nextSibling === text) ??
        free.find(
          ({ record }) =>
            record.previousSibling === text ||
            (record.previousSibling === removal.previousSibling && record.nextSibling === removal.nextSibling),
        )
      if (one === undefined) return []
      taken.add(one.node)
      return [[text, one.node]]
    }),
  )
}

const isTranslation = (node: Node): node is Element => node instanceof HTMLElement && node.localName === "font"

/** Has the browser leave names, numbers and what people type alone. The app shows names in `<bdi>`, or says so at the element. */
function keepUntranslated(root: Element) {
  /** A number may become words in the same element. */
  const numbers = new WeakSet<Element>()
  const mark = (element: Element) => {
    const isNumber = isWithoutLetters(element)
    if (isNumber || element.matches("bdi, input, textarea")) element.setAttribute("translate", "no")
    else if (numbers.has(element)) element.removeAttribute("translate")
    if (isNumber) numbers.add(element)
    else numbers.delete(element)
  }
  const markAll = (nodes: Iterable<Node>) => {
    for (const node of nodes)
      if (node instanceof Element) for (const element of [node, ...node.querySelectorAll("*")]) mark(element)
  }
  new MutationObserver((records) => {
    for (const { target, addedNodes } of records) {
      const changed = target instanceof Element ? target : target.parentElement
      if (changed !== null) mark(changed)
      markAll(addedNodes)
    }
  }).observe(root, { subtree: true, childList: true, characterData: true })
  markAll([root])
}

/** Whether an element has one text and nothing else, and no letter is in it. */
const isWithoutLetters = ({ childNodes, firstChild }: Element): boolean =>
  childNodes.length === 1 && firstChild instanceof Text && firstChild.data !== "" && !/\p{L}/u.test(firstChild.data)
