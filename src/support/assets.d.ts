declare module "*.txt" {
  const text: string
  export default text
}

declare module "*.sql" {
  const text: string
  export default text
}

declare module "unhomoglyph/data.json" {
  const path: string
  export default path
}

declare module "*/browser/standalone.js" {
  const path: string
  export default path
}

declare module "*.wasm" {
  const path: string
  export default path
}

declare module "*.ttf" {
  const path: string
  export default path
}
