import { campaignPaths } from '#features/campaigns/paths.ts'
import { ApiError } from '#lib/web/api.ts'

/** For `Missing`, where no campaign has the id in the address. */
export const NO_CAMPAIGN = { title: 'Campaign not found', to: campaignPaths.list, name: 'My Campaigns' }

/** The specification's text for a call that the server refused, or did not answer. */
export function fetchErrorText(error: unknown, words: { refused: string; unreachable: string }): string {
	return error instanceof ApiError && error.status > 0 ? words.refused : words.unreachable
}
