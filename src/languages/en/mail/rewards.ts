/** `{quote}` is what a person wrote, in lines of its own, or nothing. */
export const rewardMail = {
  request: {
    subject: "{name} asks for {reward}",
    button: "Open the request",
    text: `{name} ({username}) redeemed {points} for {reward}.
{quote}
Fulfil or decline the request here:

{url}
`,
  },
  fulfilled: {
    subject: "Your reward: {reward}",
    button: "Show my requests",
    text: `Hello {name},

your request for {reward} was fulfilled.
{quote}
All your requests:

{url}
`,
  },
  declined: {
    subject: "Your request for {reward} was declined",
    button: "Show my requests",
    text: `Hello {name},

your request for {reward} was declined. You have your {points} back.
{quote}
All your requests:

{url}
`,
  },
}
