import { campaigns } from '#features/campaigns/contract.ts'
import { campaignPreflight } from '#features/campaigns/preflight-contract.ts'
import { contacts } from '#features/contacts/contract.ts'
import { dashboards } from '#features/dashboards/contract.ts'
import { numberStanding } from '#features/delivery/contract.ts'
import { notifications } from '#features/notifications/contract.ts'
import { payments } from '#features/payments/contract.ts'
import { statements } from '#features/statements/contract.ts'
import { templates } from '#features/templates/contract.ts'
import { users } from '#features/users/contract.ts'
import { wallet } from '#features/wallet/contract.ts'
import type { Endpoint } from '#lib/endpoint.ts'
import type { LiveEvent } from '#lib/live.ts'

/**
 * Queries to refetch on a live event of each kind, by `use-live-updates.ts` at most once a second. The chat screen
 * handles its events itself.
 */
export const AFFECTED: Record<LiveEvent['kind'], Endpoint[]> = {
	campaign: [campaigns.list, campaigns.get, campaigns.refresh, dashboards.user, numberStanding.limit],
	wallet: [
		wallet.balance,
		wallet.recharges,
		statements.groups,
		statements.list,
		statements.spending,
		payments.one,
		payments.list,
		payments.options,
		users.me,
		dashboards.user,
		campaignPreflight.estimate,
		campaigns.standing,
	],
	templates: [templates.list, templates.get, campaignPreflight.estimate, dashboards.user],
	notification: [notifications.list],
	chat: [notifications.list, dashboards.user, contacts.optedOut],
	typing: [],
	sender: [
		numberStanding.limit,
		dashboards.user,
		notifications.list,
		campaigns.list,
		campaigns.refresh,
		campaigns.standing,
		campaignPreflight.estimate,
	],
	// This call fails when the session has ended, which signs the user out.
	session: [users.me],
	resync: [],
}
