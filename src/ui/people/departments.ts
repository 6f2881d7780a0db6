import { api } from "../server/api.ts"
import { ask } from "../server/ask.ts"
import { question } from "../server/question.ts"

/** The departments that there are, with how many people each has. */
export const useDepartments = question((_: null) => ask(api.api.v1.departments.get()))
