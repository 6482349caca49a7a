import { adminDashboards, type SetUp } from '#features/dashboards/admin-contract.ts'
import { invalidate, query } from '#lib/web/query.ts'

/** Options that read an open set-up again: webhooks and approvals arrive without a click of the admin. */
export const WATCHED = { staleTime: 0, refetchInterval: 10_000 } as const

/** Returns the query of the set-ups of these users, at least one. */
export const setUpsOf = (userIds: string[]) => query(adminDashboards.setUps, { query: { users: userIds.join(',') } })

/** Reads the set-ups on screen again, after a dialog has changed one. */
export const refreshSetUps = () => invalidate(adminDashboards.setUps)

/** The parts without which an account cannot send or does not learn the outcome, in the order of the set-up. */
export const HEALTH = {
	Key: ({ key }: SetUp) => key === 'works',
	Balance: ({ canPay }: SetUp) => canPay,
	Webhook: ({ webhookAt, isSilent }: SetUp) => webhookAt !== null && !isSilent,
	Template: ({ approvedTemplates }: SetUp) => approvedTemplates > 0,
}
