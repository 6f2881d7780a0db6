import type { App } from "../../app.ts"
import type { User } from "../../domain/model.ts"
import { meView } from "./views.ts"

/** The own account as it is told to whom it is: with balance, and whether the password is the one from the start. */
export const ownAccount =
  ({ store, hasInitialPassword }: Pick<App, "store" | "hasInitialPassword">) =>
  async (user: User) =>
    meView(user, {
      balance: await store.users.balanceOf(user.id),
      hasInitialPassword: await hasInitialPassword(user),
    })
