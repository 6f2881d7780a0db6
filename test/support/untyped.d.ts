/** The part of the package that the tests use; it has no types of its own. */
declare module "oidc-provider" {
  import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"

  export default class Provider {
    constructor(issuer: string, configuration: object)
    callback(): RequestListener
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
  }
}

/** The part of the package that the tests use; it has no types of its own. */
declare module "@20minutes/s3rver" {
  export default class S3rver {
    constructor(options: object)
    run(): Promise<{ readonly address: string; readonly port: number }>
    close(): Promise<void>
  }
}
