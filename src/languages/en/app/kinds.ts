/** Kinds of transactions. */
export const kinds = {
  transfer: "Recognition",
  grant: "Grant",
  allowance: "Allowance",
  expiry: "Expired budget",
  redemption: "Reward",
  refund: "Refund",
  reversal: "Taken back",
  occasion: "Occasion",
}
