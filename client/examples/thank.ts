/*
 * Thanks everybody who is named on the command line, and prints what was sent.
 *
 * REWARDS_URL=https://rewards.example.com REWARDS_TOKEN=rwd_… bun thank.ts 5 "for the release" ada zoe
 */
import { createRewardsClient, RewardsError } from "rewards-client"

const { REWARDS_URL: url = "http://127.0.0.1:8000", REWARDS_TOKEN: token = "" } = process.env
const [value = "", reason = "", ...people] = process.argv.slice(2)
const rewards = createRewardsClient({ url, credentials: { token } })

for (const to of people)
  try {
    const sent = await rewards.give({ to, value: Number(value), reason })
    console.log(`${sent.id}: ${value} to ${to}`)
  } catch (error) {
    if (!(error instanceof RewardsError)) throw error
    console.error(`${to}: ${error.detail}`)
    process.exitCode = 1
  }
