import { accountChannel } from '#lib/server/db/channels.ts'

/** Accounts with stored webhooks that wait to be processed. */
export const webhooksChannel = accountChannel('webhooks')
