import { expect, test } from "bun:test"
import { createRouteOf } from "../../src/http/paths.ts"

const routes = ["/token", "/user/", "/user/:username/", "/user/:username/password/", "/user/pwd_reset_token/", "/app/*"]
const routeOf = createRouteOf([...routes.map((path) => ({ method: "GET", path })), { method: "OPTIONS", path: "/*" }])

test("a path is assigned to the route that answers it, with or without a trailing slash", () => {
  const belongs: Record<string, string | null> = {
    "/token": "/token",
    "/token/": "/token",
    "/user": "/user/",
    "/user/ana": "/user/:username/",
    "/user/ana/": "/user/:username/",
    "/user/pwd_reset_token": "/user/pwd_reset_token/",
    "/user/ana/password/": "/user/:username/password/",
    "/user/ana/password/x": null,
    "/app/a/b.js": "/app/*",
    "/": null,
    "": null,
    "/user//": null,
    "/tokens": null,
  }
  expect(Object.fromEntries(Object.keys(belongs).map((path) => [path, routeOf(path)]))).toEqual(belongs)
})
