import { ownerChannel } from '#lib/server/channels.ts'

/** Accounts whose chats have files to fetch, answers to count or messages to send. */
export const chatsChannel = ownerChannel('chats')
