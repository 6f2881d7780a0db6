/** The reactions that there are, in the order in which they are shown. */
export const emojis = ["👏", "❤️", "🎉", "🙏", "😄"] as const
