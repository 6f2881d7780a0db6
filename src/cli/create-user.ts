import { DomainError } from "../domain/errors.ts"
import { defaultCurrency } from "../domain/people/fields.ts"
import { operatorOf, withNewApp } from "./support/app.ts"
import { command, fileArgs } from "./support/command.ts"
import { Refusal } from "./support/failures.ts"
import { readSecret } from "./support/input.ts"

/** Creates a user (docs/interface.md, "Command line"). */
export const createUser = command({
  name: "create-user",
  description: "Create a user",
  example: `rewards create-user "Ana Souza" ana@example.com - sales`,
  args: {
    name: { type: "positional", required: true, description: "Full name" },
    email: { type: "positional", required: true, description: "E-mail address" },
    password: { type: "positional", required: true, description: "Password, or - to read it from standard input" },
    dept: { type: "positional", required: true, description: `Department; "management" makes a superuser` },
    username: { type: "string", valueHint: "NAME", description: "User name, instead of one made from the full name" },
    currency: { type: "string", valueHint: "CODE", description: "Currency", default: defaultCurrency },
    ...fileArgs,
  },
  async run({ name, email, password: given, dept, username, currency, ...args }, context) {
    const password = given === "-" ? await readSecret(context, "Password:") : given
    const user = await withNewApp(context, args, ({ users }) =>
      users.create(operatorOf(context), { name, email, password, dept, username, currency }).catch(explained),
    )
    await context.print(`User ${user.username} created`)
  },
})

/** The message of the HTTP interface is fixed; here it names the cause. */
function explained(error: unknown): never {
  if (error instanceof DomainError && error.code === "integrity")
    throw new Refusal(`${error.message}: this e-mail address is taken`)
  throw error
}
