import { expireHolds, moveMoneyOfReplies } from '#features/chats/server/charges/charges.ts'
import { countControlGroups } from '#features/chats/server/control-groups.ts'
import { linkLateReplies } from '#features/chats/server/inbound/late-replies.ts'
import { attributeReplies, checkArrivals } from '#features/chats/server/replies/replies.ts'
import { settleChatStatusUpdates } from '#features/chats/server/settlement/status-updates.ts'
import { sweepUnconfirmedChats } from '#features/chats/server/settlement/sweeps.ts'
import { queueOpenings } from '#features/delivery/server/lifecycle/opener.ts'
import { analyzeMessages, turnMonths } from '#features/delivery/server/months/months.ts'
import { countReplies, repliesChannel } from '#features/delivery/server/replies/replies.ts'
import { countDoubtfulAsSent } from '#features/delivery/server/restore/restored.ts'
import { notifySilence } from '#features/delivery/server/sweeps/silence.ts'
import { retryUnmatched, sweepEnded, sweepExpired, sweepUnconfirmed } from '#features/delivery/server/sweeps/sweeps.ts'
import { workChannel } from '#features/delivery/server/work-channel.ts'
import { recordTestSteps } from '#features/developer/server/test-keys/test-events.ts'
import { queueDeliveries } from '#features/developer/server/webhooks/deliver.ts'
import { boundWaiting, eventsChannel } from '#features/events/server/service.ts'
import { deleteUnneeded } from '#features/header-files/server/upload/clean-up.ts'
import { queueUploads } from '#features/header-files/server/upload/upload.ts'
import { forgetPeople } from '#features/limits/server/service.ts'
import { checkDuePayments } from '#features/payments/server/poll.ts'
import { paymentChannel } from '#features/payments/server/service.ts'
import { eraseDeletedAccounts } from '#features/privacy/server/account/erase-account.ts'
import { syncDueTemplates } from '#features/templates/server/sync/hourly-sync.ts'
import { collectOwed } from '#features/wallet/server/owed.ts'
import { announceWaitingRefunds } from '#features/wallet/server/waiting-refunds.ts'
import { warnLowBalances } from '#features/wallet/server/warnings.ts'
import { readNumberDaily } from '#features/whatsapp/server/meta-check.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#lib/durations.ts'
import type { HousekeepingTask } from '#lib/server/jobs/housekeeping.ts'
import type { AppContext } from '../context.ts'
import { reconcileMoneyHourly } from './reconciliation.ts'
import { deleteOldRows, copyOutcomes } from './retention.ts'
import { deleteUnusedFiles } from './unused-files.ts'

const SECOND_MS = 1000

type Deps = AppContext & { unknownAfter: number; keepMonths: number }

/** Returns the tasks that one elected worker runs for all accounts. Each task uses an index or runs rarely. */
export function housekeepingTasks(context: AppContext): HousekeepingTask[] {
	const { UNKNOWN_AFTER: unknownAfter, KEEP_MESSAGES_MONTHS, SENDING } = context.env
	// With SENDING off, as on a restored database, nothing is deleted: `keepMonths` 0 keeps all months.
	const isSending = SENDING === 'on'
	const deps: Deps = { ...context, unknownAfter, keepMonths: isSending ? KEEP_MESSAGES_MONTHS : 0 }
	const whileSending = isSending
		? [...messageTasks(deps), ...chatTasks(deps), ...eventTasks(deps), ...retentionTasks(deps)]
		: []
	return [...whileSending, ...accountTasks(deps)]
}

/** Returns the tasks that open campaigns, and settle or count their messages. */
function messageTasks(deps: Deps): HousekeepingTask[] {
	return [
		// Creating or resuming a campaign publishes to this channel, so that a due one opens without waiting for the interval.
		{ name: 'open campaigns', intervalMs: SECOND_MS, wakeOn: workChannel, run: () => queueOpenings(deps.db) },
		{
			name: 'release what ended campaigns have not sent',
			intervalMs: 2 * SECOND_MS,
			wakeOn: workChannel,
			run: (signal) => sweepEnded({ ...deps, signal }),
		},
		{
			name: 'queue uploads of header files',
			intervalMs: 2 * SECOND_MS,
			wakeOn: workChannel,
			run: () => queueUploads(deps.db),
		},
		{
			name: 'delete header files at Meta',
			intervalMs: HOUR_MS,
			run: async (signal) => void (await deleteUnneeded({ ...deps, signal })),
		},
		{
			name: 'count messages in doubt as sent',
			intervalMs: 4 * SECOND_MS,
			run: (signal) => countDoubtfulAsSent({ ...deps, signal }),
		},
		{
			name: 'give up unconfirmed messages',
			intervalMs: 4 * SECOND_MS,
			run: (signal) => sweepUnconfirmed({ ...deps, signal }),
		},
		{
			name: 'count people under limits no more after a day',
			intervalMs: 10 * MINUTE_MS,
			run: async (signal) => void (await forgetPeople({ ...deps, signal })),
		},
		{
			name: 'retry unmatched status updates',
			intervalMs: 4 * SECOND_MS,
			run: (signal) =>
				retryUnmatched({ ...deps, signal, settleOthers: settleChatStatusUpdates, onArrived: checkArrivals }),
		},
		{
			name: 'refund undelivered messages',
			intervalMs: HOUR_MS,
			run: async (signal) => {
				await sweepExpired({ ...deps, signal })
				await expireHolds({ ...deps, signal })
			},
		},
		{
			name: 'report missing status updates',
			intervalMs: 10 * MINUTE_MS,
			run: async (signal) => void (await notifySilence({ ...deps, signal })),
		},
	]
}

/** Returns the tasks that settle chat messages, and count replies to campaigns. */
function chatTasks(deps: Deps): HousekeepingTask[] {
	return [
		{
			name: 'give up unconfirmed chat messages',
			intervalMs: 4 * SECOND_MS,
			run: (signal) => sweepUnconfirmedChats({ ...deps, signal }),
		},
		{
			name: 'move the money of replies',
			intervalMs: 4 * SECOND_MS,
			run: (signal) => moveMoneyOfReplies({ ...deps, signal }),
		},
		{
			name: 'link replies to what they quote',
			intervalMs: 4 * SECOND_MS,
			run: (signal) => linkLateReplies({ ...deps, signal }),
		},
		{
			name: 'count replies to campaigns',
			intervalMs: 5 * SECOND_MS,
			wakeOn: repliesChannel,
			run: async (signal) => {
				await attributeReplies({ ...deps, signal })
				await countReplies(deps.db)
			},
		},
		{
			name: 'count who wrote without a campaign',
			intervalMs: 10 * SECOND_MS,
			run: (signal) => countControlGroups({ ...deps, signal }),
		},
	]
}

/** Returns the tasks for events to accounts' own systems. */
function eventTasks(deps: Deps): HousekeepingTask[] {
	return [
		{
			name: 'send events to webhooks',
			intervalMs: 2 * SECOND_MS,
			wakeOn: eventsChannel,
			run: () => queueDeliveries(deps.db),
		},
		{
			name: 'tell webhooks of test messages',
			intervalMs: SECOND_MS,
			run: (signal) => recordTestSteps({ ...deps, signal }),
		},
		{
			name: 'bound the events that wait for webhooks',
			intervalMs: MINUTE_MS,
			run: (signal) => boundWaiting({ ...deps, signal }),
		},
	]
}

function accountTasks(deps: Deps): HousekeepingTask[] {
	return [
		{
			name: 'sync templates that were not for an hour',
			intervalMs: MINUTE_MS,
			run: (signal) =>
				syncDueTemplates({ ...deps, readNumber: (accountId) => readNumberDaily(deps, accountId) }, signal),
		},
		{
			name: 'turn months',
			intervalMs: 10 * MINUTE_MS,
			run: (signal) =>
				turnMonths({ ...deps, signal, copyOutcomes: (accountId, ids) => copyOutcomes(deps.db, accountId, ids) }),
		},
		{ name: 'gather statistics', intervalMs: 6 * HOUR_MS, run: () => analyzeMessages(deps.db) },
		{ name: 'tell admins of waiting refunds', intervalMs: MINUTE_MS, run: () => announceWaitingRefunds(deps) },
		{
			name: 'check payments',
			intervalMs: 5 * SECOND_MS,
			wakeOn: paymentChannel,
			run: (signal) => checkDuePayments({ ...deps, signal }),
		},
		{ name: 'collect owed money', intervalMs: MINUTE_MS, run: () => collectOwed(deps) },
		{ name: 'warn of low balances', intervalMs: MINUTE_MS, run: () => warnLowBalances(deps) },
		{
			name: 'reconcile money',
			intervalMs: MINUTE_MS,
			run: (signal) => reconcileMoneyHourly(deps, signal),
		},
	]
}

function retentionTasks(deps: Deps): HousekeepingTask[] {
	return [
		{ name: 'delete old rows', intervalMs: HOUR_MS, run: (signal) => deleteOldRows({ ...deps, signal }) },
		{
			name: 'erase deleted accounts',
			intervalMs: HOUR_MS,
			run: (signal) => eraseDeletedAccounts({ ...deps, keepAccountDays: deps.env.KEEP_ACCOUNT_DAYS, signal }),
		},
		{
			name: 'delete unused files',
			intervalMs: DAY_MS,
			run: (signal) => deleteUnusedFiles({ ...deps, signal }),
		},
	]
}
