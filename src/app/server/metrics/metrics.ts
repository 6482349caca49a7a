import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client'
import { countMonthsOverdue } from '#features/delivery/server/months/months.ts'
import type { Dispatcher } from '#features/delivery/server/sending/dispatcher.ts'
import { getQueueStatsAllAccounts } from '#features/delivery/server/sending/stats-queries.ts'
import { countSilentSendersAllAccounts } from '#features/delivery/server/sweeps/silence-queries.ts'
import type { PaymentCounters } from '#features/payments/server/counters.ts'
import { getPaymentFiguresAllAccounts } from '#features/payments/server/metric-queries.ts'
import {
	findLastReconciliationAllAccounts,
	sumHeldAllAccounts,
} from '#features/wallet/server/reconciliation-queries.ts'
import type { StrayChanges } from '#features/whatsapp/server/webhooks/stray-changes.ts'
import type { Db } from '#lib/server/db.ts'
import { getReplication, type Replication } from '#lib/server/db/hosts/replication.ts'
import type { AppContext } from '../context.ts'
import type { RunningWorker } from '../worker.ts'
import { certificateEnds, getDiskSpace } from './machine-metrics.ts'

/** Value of a gauge that could not be read: a gap in the graph instead of a zero. */
const UNKNOWN = Number.NaN

/**
 * Creates the registry of `GET /metrics`: the process, money, queues of the whole product, and this worker's sending.
 */
export function createMetrics(
	{
		db,
		watch,
		env,
		paymentProvider,
		paymentCounters,
	}: Pick<AppContext, 'db' | 'watch' | 'env' | 'paymentProvider' | 'paymentCounters'>,
	worker: RunningWorker | null,
	strays: StrayChanges | null = null,
): Registry {
	const registry = new Registry()
	collectDefaultMetrics({ register: registry })
	measureMoney(registry, db)
	measureQueues(registry, db)
	measureMonths(registry, db, env.KEEP_MESSAGES_MONTHS)
	measureDatabase(registry, db)
	measureReplication(registry, watch)
	measureMachine(registry, env)
	measurePools(registry, [db, ...(worker?.pools ?? [])])
	if (paymentProvider) measurePayments(registry, db, paymentCounters)
	if (strays)
		gauge(
			registry,
			['webhook_changes_stray', 'Changes at the app address that concern no account, since the process began'],
			() => strays.count,
		)
	if (worker?.sending) measureSending(registry, worker.sending)
	return registry
}

function gauge(
	registry: Registry,
	[name, help]: readonly [string, string],
	read: () => number | Promise<number>,
): void {
	const made: Gauge = new Gauge({
		name,
		help,
		registers: [registry],
		collect: async () => made.set(await Promise.resolve(read()).catch(() => UNKNOWN)),
	})
}

/**
 * Measures the money on hold, and the findings and the time of the last reconciliation. Findings other than 0, or a
 * last reconciliation hours ago, deserve an alarm at night.
 */
function measureMoney(registry: Registry, db: Db): void {
	gauge(
		registry,
		['money_reconciliation_findings', 'Rules about money that did not hold at the last reconciliation'],
		async () => (await findLastReconciliationAllAccounts(db))?.findings ?? UNKNOWN,
	)
	gauge(
		registry,
		['money_held_paise', 'Money on hold for messages that are not sent yet, or whose outcome is unknown'],
		() => sumHeldAllAccounts(db),
	)
	gauge(
		registry,
		['money_reconciliation_timestamp_seconds', 'When the last reconciliation of money ended, in seconds since 1970'],
		async () => ((await findLastReconciliationAllAccounts(db))?.finishedAt.getTime() ?? UNKNOWN) / 1000,
	)
}

/** Measures online payments: payments whose outcome the provider has not named, and this process's calls of the provider. */
function measurePayments(registry: Registry, db: Db, counters: PaymentCounters): void {
	const figures = shared(() => getPaymentFiguresAllAccounts(db))
	const shown = [
		['payments_overdue', 'Payments that are open an hour after their page expired', 'overdue'],
		['payment_check_delay_seconds', 'How late the most overdue check of a payment is', 'checkDelaySeconds'],
		['payments_faulty', 'Payments that an admin has to look at', 'faulty'],
		['payments_credited_1d', 'Payments of the last 24 hours that were credited', 'credited'],
		['payments_credited_by_poll_1d', 'Those of them that neither webhook nor return announced', 'creditedByPoll'],
		['payments_owed_paise', 'Money of refunded payments that wallets could not pay back', 'owedPaise'],
	] as const
	for (const [name, help, key] of shown) gauge(registry, [name, help], async () => (await figures())[key])
	gauge(
		registry,
		['payment_webhooks_refused', 'Payment webhooks without a valid signature, since the process began'],
		() => counters.webhooksRefused,
	)
	gauge(
		registry,
		['payment_provider_errors', 'Calls that the payment provider refused or did not answer, since the process began'],
		() => counters.providerErrors,
	)
}

/** Returns a function that shares one query among the gauges of a scrape. */
function shared<T>(read: () => Promise<T>): () => Promise<T> {
	let asked: Promise<T> | null = null
	return () => (asked ??= read().finally(() => (asked = null)))
}

function measureDatabase(registry: Registry, db: Db): void {
	const replication = shared<Replication>(() => getReplication(db))
	gauge(registry, ['database_standbys', 'Standbys that are connected'], async () => (await replication()).standbys)
	gauge(
		registry,
		['database_standbys_synchronous', 'Standbys that commits wait for'],
		async () => (await replication()).synchronous,
	)
	gauge(
		registry,
		['database_replication_lag_bytes', 'Bytes that the slowest standby has not written yet'],
		async () => (await replication()).lagBytes ?? UNKNOWN,
	)
}

/** Measures resources that run out: the disk of DATA_DIR, and the certificates of the product's addresses. */
function measureMachine(registry: Registry, env: AppContext['env']): void {
	const disk = shared(() => getDiskSpace(env.DATA_DIR))
	gauge(
		registry,
		['disk_available_bytes', 'Bytes that this process may still write to the file system of DATA_DIR'],
		async () => (await disk()).availableBytes,
	)
	gauge(registry, ['disk_size_bytes', 'Size of the file system of DATA_DIR'], async () => (await disk()).sizeBytes)
	gauge(
		registry,
		[
			'certificate_expires_timestamp_seconds',
			'When the first certificate of PUBLIC_URL and LINK_URL ends, in seconds since 1970',
		],
		certificateEnds(() => [env.PUBLIC_URL, ...(env.LINK_URL ? [env.LINK_URL] : [])]),
	)
}

/** Measures the connection pools of this process. */
function measurePools(registry: Registry, pools: Db[]): void {
	const made: Gauge<'pool' | 'state'> = new Gauge({
		name: 'database_connections',
		help: 'Connections of each pool that are busy or idle, and statements that wait for one',
		labelNames: ['pool', 'state'],
		registers: [registry],
		collect() {
			for (const { pool, connections } of pools)
				for (const [state, count] of Object.entries(connections())) made.set({ pool, state }, count)
		},
	})
}

function measureQueues(registry: Registry, db: Db): void {
	const stats = shared(() => getQueueStatsAllAccounts(db))
	const shown = [
		['messages_waiting', 'Messages of running campaigns that no worker has claimed yet', 'waiting'],
		['messages_unknown', 'Messages of unknown outcome', 'unknown'],
		['campaign_opening_delay_seconds', 'How late the most overdue campaign is to open', 'openingDelaySeconds'],
		['webhook_queue_age_seconds', 'Age of the oldest inbound webhook that waits to be processed', 'deliveryAgeSeconds'],
		['webhook_deliveries_kept', 'Dead letters: inbound webhooks that could not be processed', 'deadLetters'],
		['webhook_changes_ignored', 'Changes of known kinds that the product does not need', 'ignoredChanges'],
		['webhook_statuses_dropped', 'Status updates of numbers that no account has', 'droppedStatuses'],
	] as const
	for (const [name, help, key] of shown) gauge(registry, [name, help], async () => (await stats())[key])
	gauge(registry, ['reports_silent_senders', 'Senders whose messages have got no status update for over an hour'], () =>
		countSilentSendersAllAccounts(db),
	)
}

function measureMonths(registry: Registry, db: Db, keepMonths: number): void {
	gauge(
		registry,
		[
			'messages_months_overdue',
			'Months by which the oldest recipients of campaigns exceed KEEP_MESSAGES_MONTHS; 0 is well',
		],
		() => countMonthsOverdue(db, keepMonths),
	)
}

function measureReplication(registry: Registry, watch: AppContext['watch']): void {
	gauge(
		registry,
		['database_commit_wait_seconds', 'For how long the oldest commit has been waiting for its synchronous standby'],
		() => watch.commitWaitSeconds(),
	)
	gauge(registry, ['database_unreplicated_seconds', 'Time since a standby last confirmed the newest writes'], () =>
		watch.unreplicatedSeconds(),
	)
}

/** Measures the sending of this process. */
function measureSending(registry: Registry, sending: Dispatcher): void {
	const sum = (pick: (stats: ReturnType<Dispatcher['stats']>[number]) => number) => () =>
		sending.stats().reduce((total, stats) => total + pick(stats), 0)
	gauge(registry, ['sending_senders', 'Senders that this worker drives'], () => sending.stats().length)
	gauge(
		registry,
		['sending_messages_in_flight', 'Messages sent and not answered yet'],
		sum(({ inFlight }) => inFlight),
	)
	gauge(
		registry,
		['sending_pace', 'Messages a second that the senders may send now'],
		sum(({ pace }) => pace),
	)
	gauge(
		registry,
		['sending_pace_limit', 'Messages a second that Meta grants campaigns'],
		sum(({ limit }) => limit),
	)
	gauge(
		registry,
		['sending_outages', 'Senders that probe whether an outage is over'],
		sum(({ mode }) => Number(mode === 'probing')),
	)
	gauge(
		registry,
		['sending_outcomes_waiting', 'Outcomes that are not settled yet'],
		sum(({ backlog }) => backlog),
	)
	const sent: Counter<'outcome'> = new Counter({
		name: 'sending_messages_total',
		help: 'Messages that this worker has sent since its start, by outcome',
		labelNames: ['outcome'],
		registers: [registry],
		collect() {
			sent.reset()
			for (const [outcome, count] of sending.outcomes) sent.inc({ outcome }, count)
		},
	})
	gauge(
		registry,
		['sending_messages_recovered', 'Messages of orphaned claims that this worker recovered since its start'],
		() => sending.recovered(),
	)
}
