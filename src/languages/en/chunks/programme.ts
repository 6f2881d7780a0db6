import { programme } from "../app/admin/programme.ts"

/** Texts of the screen that changes the programme. */
export const texts = { programme }
