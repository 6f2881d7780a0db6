import {
  allowanceAdd,
  allowanceList,
  allowancePause,
  allowanceRemove,
  allowanceResume,
  allowanceRun,
} from "./allowance.ts"
import { audit } from "./audit.ts"
import { backup, restore } from "./backup.ts"
import { completion } from "./completion.ts"
import { config, init } from "./config.ts"
import { exportTable, importUsers } from "./csv.ts"
import { copy, migrate, resetDb, verify } from "./database.ts"
import { departmentList, departmentRename } from "./department.ts"
import { doctor } from "./doctor.ts"
import { healthcheck } from "./healthcheck.ts"
import { manual, versionCommand } from "./help.ts"
import { resetSecondFactor, sessionList, sessionRevoke, unlink } from "./logins.ts"
import { erase, privacy } from "./personal-data.ts"
import { grant, reverse, transaction } from "./points.ts"
import { serve } from "./serve.ts"
import { shell } from "./shell.ts"
import type { Command } from "./support/command.ts"
import { tokenCreate, tokenList, tokenRevoke } from "./token.ts"
import { createUser, deactivate, reactivate, setDept, setPassword, userList } from "./users.ts"
import { webhookAdd, webhookList, webhookRemove, webhookSkip, webhookTest } from "./webhook.ts"

/** Every command, in the order in which help lists them. */
export const commands: readonly Command[] = [
  serve,
  init,
  config,
  healthcheck,
  doctor,
  createUser,
  userList,
  importUsers,
  setPassword,
  resetSecondFactor,
  unlink,
  setDept,
  departmentList,
  departmentRename,
  deactivate,
  reactivate,
  erase,
  privacy,
  sessionList,
  sessionRevoke,
  tokenCreate,
  tokenList,
  tokenRevoke,
  audit,
  transaction,
  grant,
  allowanceAdd,
  allowanceList,
  allowancePause,
  allowanceResume,
  allowanceRemove,
  allowanceRun,
  reverse,
  webhookAdd,
  webhookList,
  webhookTest,
  webhookSkip,
  webhookRemove,
  exportTable,
  backup,
  restore,
  copy,
  verify,
  migrate,
  resetDb,
  shell,
  completion(() => commands),
  manual(() => commands),
  versionCommand,
]
