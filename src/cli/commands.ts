import {
  allowanceAdd,
  allowanceList,
  allowancePause,
  allowanceRemove,
  allowanceResume,
  allowanceRun,
} from "./allowance.ts"
import { audit } from "./audit.ts"
import { backup, backupList, backupUpload, restore } from "./backup.ts"
import { balances } from "./balances.ts"
import { completion } from "./completion.ts"
import { config, init } from "./config.ts"
import { exportTable, userImport } from "./csv.ts"
import { copy, migrate, resetDb, upgrade, verify } from "./database.ts"
import { demo } from "./demo.ts"
import { departmentList, departmentRename } from "./department.ts"
import { doctor } from "./doctor.ts"
import { duties } from "./duties.ts"
import { healthcheck } from "./healthcheck.ts"
import { manual, versionCommand } from "./help.ts"
import { sessionList, sessionRevoke, userResetSecondFactor, userUnlink } from "./logins.ts"
import { mailList, mailRetry } from "./mail.ts"
import { userErase, userExportData } from "./personal-data.ts"
import { pointsGrant, pointsReverse, transaction } from "./points.ts"
import { programme, programmeSet } from "./programme.ts"
import { redemptionDecline, redemptionFulfil, redemptionList } from "./redemption.ts"
import { rewardAdd, rewardChange, rewardList, rewardOffer, rewardSetPicture, rewardWithdraw } from "./reward.ts"
import { serve } from "./serve.ts"
import { shell } from "./shell.ts"
import type { Command } from "./support/command.ts"
import { tokenCreate, tokenList, tokenRevoke } from "./token.ts"
import {
  createUser,
  userDeactivate,
  userInvite,
  userList,
  userReactivate,
  userRename,
  userSetDays,
  userSetDept,
  userSetManager,
  userSetPassword,
} from "./users.ts"
import { webhookAdd, webhookList, webhookRemove, webhookSkip, webhookTest } from "./webhook.ts"

/** Commands under one heading of the help. */
export interface Group {
  readonly title: string
  readonly commands: readonly Command[]
}

/** Every command, in the order in which help lists them. */
export const groups: readonly Group[] = [
  { title: "Server", commands: [serve, demo, init, config, healthcheck, doctor] },
  {
    title: "People",
    commands: [
      createUser,
      userList,
      userImport,
      userInvite,
      userSetPassword,
      userResetSecondFactor,
      userUnlink,
      userRename,
      userSetDept,
      userSetDays,
      userSetManager,
      duties,
      userDeactivate,
      userReactivate,
      userExportData,
      userErase,
      departmentList,
      departmentRename,
      sessionList,
      sessionRevoke,
    ],
  },
  { title: "Programme", commands: [programme, programmeSet] },
  {
    title: "Points",
    commands: [
      transaction,
      pointsGrant,
      pointsReverse,
      balances,
      allowanceAdd,
      allowanceList,
      allowancePause,
      allowanceResume,
      allowanceRemove,
      allowanceRun,
    ],
  },
  {
    title: "Rewards",
    commands: [
      rewardAdd,
      rewardList,
      rewardChange,
      rewardSetPicture,
      rewardOffer,
      rewardWithdraw,
      redemptionList,
      redemptionFulfil,
      redemptionDecline,
    ],
  },
  {
    title: "Integrations",
    commands: [
      mailList,
      mailRetry,
      tokenCreate,
      tokenList,
      tokenRevoke,
      webhookAdd,
      webhookList,
      webhookTest,
      webhookSkip,
      webhookRemove,
    ],
  },
  {
    title: "Database",
    commands: [
      backup,
      backupUpload,
      backupList,
      restore,
      copy,
      verify,
      upgrade,
      migrate,
      exportTable,
      audit,
      resetDb,
      shell,
    ],
  },
  { title: "This program", commands: [completion(() => commands), manual(() => commands), versionCommand] },
]

/** What the commands that begin with the same noun are about, in one line of the help. */
export const nouns: Readonly<Record<string, string>> = {
  user: "Import, change, deactivate and erase users",
  department: "List and rename departments",
  session: "List and end sessions",
  points: "Grant points to many, and take points back",
  allowance: "Pay points at intervals",
  reward: "Keep the catalogue of what points buy",
  redemption: "List what people redeemed, fulfil or decline it",
  mail: "List mail that waits or was given up, and send it again",
  token: "Create, list and revoke API tokens",
  webhook: "Send events to other systems",
}

export const commands: readonly Command[] = groups.flatMap((group) => group.commands)
