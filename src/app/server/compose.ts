import type { OnColleaguesRemoved } from '#features/auth/server/people-queries.ts'
import type { AccountPrograms } from '#features/auth/server/programs.ts'
import type { Balances } from '#features/auth/server/queries.ts'
import type { OnAccountCreated } from '#features/auth/server/service.ts'
import { findUnfinishedWith } from '#features/campaigns/server/queries.ts'
import { describeResults } from '#features/campaigns/server/service.ts'
import { conversations } from '#features/chats/server/open-conversation-queries.ts'
import { listWaitingChats } from '#features/chats/server/service.ts'
import { unassignChats } from '#features/chats/server/state/change-state.ts'
import type { Conversations } from '#features/delivery/server/claims/limited-claims.ts'
import { pauseRepriced } from '#features/delivery/server/lifecycle/repricing.ts'
import { pauseSender } from '#features/delivery/server/sending/auto-pause.ts'
import { guardHealth } from '#features/delivery/server/sending/health-guard.ts'
import { pauseAllCampaigns } from '#features/delivery/server/service.ts'
import { accountPrograms } from '#features/developer/server/program-queries.ts'
import { followLimits } from '#features/limits/server/service.ts'
import { notificationOf } from '#features/notifications/server/kinds.ts'
import type { DescribeResults, ListWaitingChats } from '#features/notifications/server/routes.ts'
import { notify } from '#features/notifications/server/service.ts'
import { insertPrices } from '#features/pricing/server/queries.ts'
import type { PersonalData } from '#features/privacy/server/parts.ts'
import type { FindTemplateUse } from '#features/templates/server/creation/remove.ts'
import type { OnTemplateMoved } from '#features/templates/server/sync/changes.ts'
import type { OnAccountStopped } from '#features/users/server/service.ts'
import { openWallet } from '#features/wallet/server/ledger.ts'
import { balancesAllAccounts } from '#features/wallet/server/queries.ts'
import type { OnLimitsRead } from '#features/whatsapp/server/limits/limit-reading.ts'
import type { PauseSender } from '#features/whatsapp/server/service.ts'
import { paiseFromRupees } from '#lib/money.ts'
import type { Notify } from '#lib/server/db/channels/notify.ts'
import type { Env } from './env.ts'
import { personalData } from './personal-data.ts'

/** Hooks that earlier features call and later features implement, since a feature may not import a later one. */
export interface Hooks {
	onAccountCreated: OnAccountCreated
	programs: AccountPrograms
	onAccountStopped: OnAccountStopped
	onColleaguesRemoved: OnColleaguesRemoved
	balances: Balances
	onTemplateMoved: OnTemplateMoved
	findTemplateUse: FindTemplateUse
	pauseSender: PauseSender
	onLimitsRead: OnLimitsRead
	conversations: Conversations
	notify: Notify
	waitingChats: ListWaitingChats
	campaignResults: DescribeResults
	personalData: PersonalData
}

export function composeHooks(env: Pick<Env, 'DEFAULT_MARKETING_PRICE' | 'DEFAULT_UTILITY_PRICE'>): Hooks {
	const firstPrices = {
		marketingPaise: paiseFromRupees(env.DEFAULT_MARKETING_PRICE) ?? 0,
		utilityPaise: paiseFromRupees(env.DEFAULT_UTILITY_PRICE) ?? 0,
	}
	return {
		conversations,
		notify,
		waitingChats: listWaitingChats,
		campaignResults: describeResults,
		onColleaguesRemoved: unassignChats,
		personalData,
		programs: accountPrograms,
		findTemplateUse: findUnfinishedWith,
		balances: balancesAllAccounts,
		pauseSender: (db, accountId, reason) => pauseSender({ db, notify }, accountId, reason),
		async onLimitsRead(sql, accountId, reading) {
			await guardHealth(sql, accountId, { ...reading, notify })
			await followLimits(sql, accountId, reading)
		},
		onTemplateMoved: (sql, accountId, template) => pauseRepriced(sql, accountId, { template, notify }),
		async onAccountStopped(sql, accountId, reason) {
			const paused = await pauseAllCampaigns(sql, accountId, reason)
			if (paused > 0) await notify(sql, accountId, notificationOf.campaignsPaused({ count: paused, reason }))
		},
		async onAccountCreated(sql, accountId, { role }) {
			await openWallet(sql, accountId)
			await insertPrices(sql, accountId, firstPrices)
			if (role === 'user') await notify(sql, accountId, notificationOf.welcome())
		},
	}
}
