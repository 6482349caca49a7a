import { verbatim } from '#lib/server/statement.ts'

/**
 * The kind of a campaign. `test` and `chat` are campaigns of one message. `api` holds the messages that programs send with one
 * template on one day: an error that would pause a normal campaign fails it, and the next message begins another one.
 */
export type CampaignKind = 'campaign' | 'test' | 'chat' | 'api'

/** The condition on `campaigns` for lists and reports: a campaign of kind `chat` is shown in its chat alone. */
export const IS_SHOWN = verbatim(`kind <> 'chat'`)
