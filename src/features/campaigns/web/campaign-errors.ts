import { campaignPaths } from '#features/campaigns/paths.ts'
import { ApiError } from '#lib/web/api.ts'

/** Texts of `Missing` for an address whose id no campaign has. */
export const NO_CAMPAIGN = { title: 'Campaign not found', to: campaignPaths.list, name: 'My Campaigns' }

/** Returns the specification's text for a call that the server refused or did not answer. */
export function fetchErrorText(error: unknown, words: { refused: string; unreachable: string }): string {
	return error instanceof ApiError && error.status > 0 ? words.refused : words.unreachable
}
