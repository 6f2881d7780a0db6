import {
  allowanceAdd,
  allowanceList,
  allowancePause,
  allowanceRemove,
  allowanceResume,
  allowanceRun,
} from "./allowance.ts"
import { audit } from "./audit.ts"
import { backup } from "./backup.ts"
import { completion } from "./completion.ts"
import { config } from "./config.ts"
import { copy } from "./copy.ts"
import { createUser } from "./create-user.ts"
import { deactivate, reactivate } from "./deactivate.ts"
import { departmentList, departmentRename } from "./department.ts"
import { doctor } from "./doctor.ts"
import { erase } from "./erase.ts"
import { exportTable } from "./export.ts"
import { grant } from "./grant.ts"
import { healthcheck } from "./healthcheck.ts"
import { importUsers } from "./import-users.ts"
import { init } from "./init.ts"
import { manual } from "./manual.ts"
import { migrate } from "./migrate.ts"
import { privacy } from "./privacy.ts"
import { resetDb } from "./reset-db.ts"
import { resetSecondFactor } from "./reset-second-factor.ts"
import { restore } from "./restore.ts"
import { reverse } from "./reverse.ts"
import { serve } from "./serve.ts"
import { sessionList, sessionRevoke } from "./session.ts"
import { setDept } from "./set-dept.ts"
import { setPassword } from "./set-password.ts"
import { shell } from "./shell.ts"
import type { Command } from "./support/command.ts"
import { tokenCreate, tokenList, tokenRevoke } from "./token.ts"
import { transaction } from "./transaction.ts"
import { unlink } from "./unlink.ts"
import { userList } from "./user-list.ts"
import { verify } from "./verify.ts"
import { version } from "./version.ts"
import { webhookAdd, webhookList, webhookRemove, webhookTest } from "./webhook.ts"

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
  version,
]
