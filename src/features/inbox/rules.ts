/** Views of the list of chats: all, the open ones of the person, the open ones without an assignee, the closed ones. */
export const CHAT_VIEWS = ['all', 'mine', 'unassigned', 'closed'] as const
export type ChatView = (typeof CHAT_VIEWS)[number]
/** Number of chats at which the counts of the views end. */
export const MAX_COUNTED = 1000
/** Maximum number of campaigns by which the list of chats can be filtered. */
export const MAX_CAMPAIGNS = 100
