import { latePart } from '#lib/web/ui/late-part.tsx'

/** Shows who has a chat, with the buttons that take, assign, close and reopen it. */
export const ChatState = latePart(() => import('./chat-state.tsx').then((module) => module.ChatState))

/** Shows that a colleague types in a chat. */
export const Replying = latePart(() => import('./replying.tsx').then((module) => module.Replying))

/** Shows the choices of a tag and of a campaign by which the list of chats is filtered. */
export const ChatFilters = latePart(() => import('./chat-filters.tsx').then((module) => module.ChatFilters))
