import { accountChannel } from '#lib/server/db/channels.ts'

/** Notifies of accounts with webhooks to process. */
export const webhooksChannel = accountChannel('webhooks')
