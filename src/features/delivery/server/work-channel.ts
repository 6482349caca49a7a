import { accountChannel } from '#lib/server/db/channels/channels.ts'

/** Announces accounts that may have campaigns to open or messages to send. */
export const workChannel = accountChannel('work')
