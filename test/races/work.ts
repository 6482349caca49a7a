import { callbackData } from '#features/delivery/server/message/message-id.ts'
import { readStatusUpdates } from '#features/delivery/server/message/status-update.ts'
import { finalizeCampaigns } from '#features/delivery/server/months/months.ts'
import { cancelOldDrafts } from '#features/delivery/server/orders/order-queries.ts'
import { countDoubtfulAsSent } from '#features/delivery/server/restore/restored.ts'
import { cancelCampaign } from '#features/delivery/server/service.ts'
import { settleStatusUpdates } from '#features/delivery/server/settlement/status-updates.ts'
import { retryUnmatched, sweepEnded, sweepExpired, sweepUnconfirmed } from '#features/delivery/server/sweeps/sweeps.ts'
import { deleteOldRequests } from '#features/developer/server/orders/request-queries.ts'
import { transaction } from '#lib/server/db.ts'
import { claimJob, deleteJob, hasClaim } from '#lib/server/jobs/jobs-queries.ts'
import { statusUpdatesOn, step, type Operation } from './operation.ts'
import { wamidOf, type Scene } from './scene.ts'
import { sweepDeps } from './stage.ts'

const CHUNK = 2000

const claim = step('claim', (scene) => scene.claim(), { targets: ['sending', 'paused', 'scheduled'] })

const settleAnswer = step('settle an answer', (scene, campaignId) => scene.settle(campaignId), {
	targets: ['sending', 'restored'],
})

/** Operation in which webhooks bring status updates on messages handed to the network, settled or not. */
const settleStatus: Operation = {
	name: 'settle a status',
	targets: ['sending', 'unknown', 'accepted', 'restored'],
	async begin(scene, target) {
		const campaignId = await scene.campaign(target)
		const claims = scene.claims.filter(({ message }) => message.campaignId === campaignId)
		const statuses = statusUpdatesOn(claims, wamidOf).map((statusUpdate, at) => ({
			...statusUpdate,
			biz_opaque_callback_data: callbackData({ campaignId, seq: claims[at]?.message.seq ?? 0 }),
		}))
		return {
			async run() {
				await settle(scene, statuses)
				return undefined
			},
			async check() {
				const rows = await scene.db<{ seq: number; status: string }[]>`
					select seq, status from campaign_messages where account_id = ${scene.accountId} and campaign_id = ${campaignId}
				`
				const reported = rows.filter(({ seq }) => claims.some(({ message }) => message.seq === seq))
				const lost = reported.filter(({ status }) => status !== 'delivered')
				return lost.map(({ seq, status }) => `message ${seq} was reported as delivered, and is ${status}`)
			},
		}
	},
}

function settle({ db, accountId, stage }: Scene, statuses: object[]): Promise<void> {
	const given = { statusUpdates: readStatusUpdates(statuses), notify: stage.context.notify }
	return transaction(db, (sql) => settleStatusUpdates(sql, accountId, given))
}

/** Operation that retries status updates which arrived before the answer that names their message. */
const retryStatusUpdates: Operation = {
	name: 'retry unmatched status updates',
	targets: ['sending'],
	async begin(scene) {
		const campaignId = await scene.campaign('sending')
		await settle(scene, statusUpdatesOn(scene.claims, wamidOf))
		const { db, accountId } = scene
		const makeDue = () => db`update unmatched_reports set retry_at = now() where account_id = ${accountId}`
		const sweep = () => retryUnmatched(sweepDeps(scene.stage))
		await makeDue()
		return {
			run: () => sweep().then(() => undefined),
			async check() {
				await makeDue()
				while ((await sweep()) > 0);
				const left = await db`
					select from campaign_messages m join unmatched_reports r on r.account_id = m.account_id and r.wamid = m.wamid
					where m.account_id = ${accountId} and m.campaign_id = ${campaignId}
				`
				return left.map(() => 'a status update has not found its message')
			},
		}
	},
}

/** Operation that sweeps cancelled campaigns. */
const endCancelled: Operation = {
	name: 'sweep ended campaigns',
	targets: ['sending', 'scheduled', 'draft', 'paused'],
	stops: true,
	async begin(scene, target) {
		const { db, accountId } = scene
		const campaignId = await scene.campaign(target)
		const [open] = await db`
			select from campaigns where account_id = ${accountId} and id = ${campaignId} and status <> 'cancelled'
		`
		if (open) await cancelCampaign(scene.stage.context, accountId, String(campaignId))
		return { run: () => sweepEnded(sweepDeps(scene.stage)).then(() => undefined) }
	},
}

const removeMonth = step(
	'remove a month',
	(scene, firstId) => finalizeCampaigns(scene.db, scene.accountId, { firstId, endId: firstId + 1 }),
	{ targets: ['accepted', 'sending'] },
)

/** Creates a job of a kind that only this scene has, and two workers that may run it. The first counts as dead. */
async function openJob({ db, accountId }: Scene) {
	const kind = `race ${accountId}`
	const workers = [`${kind} first`, `${kind} second`] as const
	for (const id of workers) await db`insert into workers (id) values (${id}) on conflict do nothing`
	const [known] = await db`select from jobs where kind = ${kind}`
	if (!known) await db`insert into jobs (kind, data, due_at) values (${kind}, '{}', now() - interval '1 minute')`
	return { kind, workers }
}

/**
 * Claims the scene's job and ends it, unless another worker has taken it over. Returns true if the worker had the job
 * to the end.
 */
async function runJob({ db }: Scene, { kind, worker }: { kind: string; worker: string }): Promise<boolean> {
	const job = await claimJob(db, { kind, worker, busy: [], running: [], aliveSeconds: 10 })
	if (!job) return false
	const claimed = { id: job.id, worker, attempts: job.attempts }
	if (!(await hasClaim(db, claimed))) return false
	await deleteJob(db, claimed)
	return true
}

const runTheJob: Operation = {
	name: 'run a job',
	async begin(scene) {
		const { kind, workers } = await openJob(scene)
		return { run: () => runJob(scene, { kind, worker: workers[0] }).then(() => undefined) }
	},
}

/** Operation in which the second worker claims the job of the first, which counts as dead, and does not end it. */
const takeJobOver: Operation = {
	name: 'take over a job',
	async begin(scene) {
		const { db } = scene
		const { kind, workers } = await openJob(scene)
		let taken: Awaited<ReturnType<typeof claimJob>>
		return {
			async run() {
				await db`update workers set heartbeat_at = now() - interval '1 minute' where id = ${workers[0]}`
				taken = await claimJob(db, { kind, worker: workers[1], busy: [], running: [], aliveSeconds: 10 })
				return undefined
			},
			async check() {
				if (!taken) return []
				const claimed = { id: taken.id, worker: workers[1], attempts: taken.attempts }
				return (await hasClaim(db, claimed)) ? [] : ['another worker ended a job that was taken over']
			},
		}
	},
}

export const WORK: readonly Operation[] = [
	claim,
	settleAnswer,
	settleStatus,
	retryStatusUpdates,
	step('sweep answers', ({ db, accountId }) => deleteOldRequests(db, accountId, { age: '1 day', limit: CHUNK })),
	step('sweep drafts', (scene) => cancelOldDrafts(scene.db, scene.accountId, { age: '7 days', limit: CHUNK }), {
		targets: ['draft'],
	}),
	endCancelled,
	step('sweep unconfirmed messages', ({ stage }) => sweepUnconfirmed(sweepDeps(stage)), { targets: ['unknown'] }),
	step('sweep expired messages', ({ stage }) => sweepExpired(sweepDeps(stage)), { targets: ['accepted'] }),
	step('count messages in doubt', ({ stage }) => countDoubtfulAsSent(sweepDeps(stage)), { targets: ['restored'] }),
	removeMonth,
	runTheJob,
	takeJobOver,
]
