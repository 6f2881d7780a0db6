import { people } from "../app/people.ts"
import { recognition } from "../app/recognition.ts"

/** Texts of the list of people, and of the page of one recognition. */
export const texts = { people, recognition }
