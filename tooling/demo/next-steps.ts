import { packageManager } from "../../package.json"
import { password, tags } from "./company.ts"

/**
 * How to look at the new database, as commands that work as they are: `bun` itself may not be on the path, since npx can
 * run everything here.
 */
export function nextSteps(variables: Readonly<Record<string, string>>, hasNpx: boolean): string {
  const environment = Object.entries({ ...variables, REWARDS_RECOGNITION__TAGS: tags.join(",") })
  const bun = hasNpx ? `npx -y ${packageManager}` : "bun"
  return `
Start the server with it:

  ${environment.map(([name, value]) => `${name}='${value}'`).join(" ")} ${bun} run start

and log in at http://127.0.0.1:8000 as ana-souza or anybody else with the password '${password}'.
Superusers: admin with the password 'admin', and carla-mendes.`
}
