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

declare module "swagger-ui-dist/swagger-ui-bundle.js" {
  const path: string
  export default path
}

declare module "swagger-ui-dist/swagger-ui.css" {
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
