import { accountChannel } from '#lib/server/db/channels/channels.ts'

/** Notifies of accounts with webhooks to process. */
export const webhooksChannel = accountChannel('webhooks')
