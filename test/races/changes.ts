import { editCampaign } from '#features/campaigns/server/edit-service.ts'
import { removeField } from '#features/contacts/server/fields/fields.ts'
import { setOptOuts } from '#features/contacts/server/opt-outs/opt-outs.ts'
import { pauseRepriced } from '#features/delivery/server/lifecycle/repricing.ts'
import { startCampaign } from '#features/delivery/server/lifecycle/transition-queries.ts'
import { upsertRules } from '#features/delivery/server/sending-rules-queries.ts'
import { cancelCampaign, pauseCampaign, resumeCampaign, decideRestored } from '#features/delivery/server/service.ts'
import { changePrices } from '#features/pricing/server/service.ts'
import { eraseRecipient } from '#features/privacy/server/service.ts'
import { setStatus } from '#features/users/server/service.ts'
import { recharge } from '#features/wallet/server/service.ts'
import { transaction } from '#lib/server/db.ts'
import { getNow } from '#lib/server/db/now.ts'
import { LATER } from '#test/full-stack.ts'
import { step, type Begun, type Operation, type Ran } from './operation.ts'
import { blockedField } from './orders.ts'
import { sendAll, type Scene, type Target } from './scene.ts'

/** Returns an operation that stops a campaign: after its end no message of the campaign is claimed. */
function stopping(
	name: string,
	act: typeof pauseCampaign,
	{ targets, isForGood }: { targets: readonly Target[]; isForGood: boolean },
): Operation {
	return {
		name,
		targets,
		stops: true,
		async begin(scene, target): Promise<Begun> {
			const campaignId = await scene.campaign(target)
			return {
				run: () => act(scene.stage.context, scene.accountId, String(campaignId)).then(() => undefined),
				check({ isRefused, endTick, beside }) {
					if (isRefused || (!isForGood && beside.undoes)) return []
					const late = scene.sent.filter((one) => one.campaignId === campaignId && one.atTick > endTick)
					return late.map(({ number }) => `${number} was sent to after "${name}" had ended`)
				},
			}
		},
	}
}

/** Returns an operation that keeps the person from getting marketing after its end. */
function sparing(name: string, act: (scene: Scene) => Promise<unknown>): Operation {
	return {
		name,
		leavesOut: true,
		begin: (scene) => ({
			run: () => act(scene).then(() => undefined),
			check({ isRefused, endTick, beside }: Ran) {
				if (isRefused || beside.undoes) return []
				const late = scene.sent.filter(({ number, atTick }) => number === scene.person && atTick > endTick)
				return late.map(({ campaignId }) => `campaign ${campaignId} was sent to the person after "${name}" had ended`)
			},
		}),
	}
}

const setPerson = ({ db, accountId, person }: Scene, optedOut: boolean) =>
	transaction(db, (sql) => setOptOuts(sql, accountId, { numbers: [person], optedOut, because: 'reply' }))

const optIn: Operation = {
	name: 'opt in',
	leavesOut: true,
	undoes: true,
	async begin(scene) {
		await setPerson(scene, true)
		return { run: () => setPerson(scene, false).then(() => undefined) }
	},
}

/** Operation that deactivates and reactivates the user. Messages ordered before must not be sent afterwards. */
const deactivate: Operation = {
	name: 'deactivate',
	stops: true,
	begin(scene) {
		const { context, actor } = scene.stage
		const set = (isActive: boolean) => setStatus(context, actor, { id: String(scene.userId), isActive })
		return {
			run: () => set(false).then(() => undefined),
			async check({ endTick }) {
				await set(true)
				await sendAll(scene)
				const late = scene.sent.filter(({ atTick }) => atTick > endTick)
				return late.map(({ campaignId }) => `campaign ${campaignId} was sent after the deactivation`)
			},
		}
	},
}

/** Operation of housekeeping that opens a campaign whose time has come. */
const open: Operation = {
	name: 'open',
	targets: ['scheduled', 'paused'],
	async begin(scene, target) {
		const { db, accountId } = scene
		const campaignId = await scene.campaign(target)
		await db`update campaigns set opens_at = now() where account_id = ${accountId} and id = ${campaignId}`
		return {
			async run() {
				await startCampaign(db, accountId, { campaignId, media: null, at: await getNow(db) })
				return undefined
			},
		}
	},
}

/** Operation in which Meta moves the template to another category, which has another price. */
const moveTemplate = step(
	'move the template',
	({ db, accountId, templateName: name, stage }) =>
		transaction(db, async (sql) => {
			await sql`update templates set category = 'UTILITY' where account_id = ${accountId}`
			const template = { name, language: 'en', to: 'UTILITY' }
			await pauseRepriced(sql, accountId, { template, notify: stage.context.notify })
		}),
	{ stops: true },
)

const deleteField: Operation = {
	name: 'delete a field',
	leavesOut: true,
	async begin(scene) {
		const field = await blockedField(scene)
		return { run: () => removeField(scene.db, scene.accountId, field).then(() => undefined) }
	},
}

/** Operation in which the account chooses after a restore how many messages count as sent. */
const decide = step(
	'decide after a restore',
	(scene, campaignId) =>
		decideRestored(scene.stage.context, scene.accountId, {
			campaignId: String(campaignId),
			sentThrough: scene.numbers.length - 1,
		}),
	{ targets: ['restored'], undoes: true },
)

export const CHANGES: readonly Operation[] = [
	stopping('pause', pauseCampaign, { targets: ['sending', 'scheduled', 'paused'], isForGood: false }),
	stopping('cancel', cancelCampaign, { targets: ['sending', 'scheduled', 'paused', 'draft'], isForGood: true }),
	step('resume', (scene, campaignId) => resumeCampaign(scene.stage.context, scene.accountId, String(campaignId)), {
		targets: ['paused', 'sending'],
		undoes: true,
	}),
	step(
		'edit',
		(scene, campaignId) => {
			const form = { name: 'Diwali', variables: {}, ...LATER }
			return editCampaign(scene.db, scene.accountId, { campaignId: String(campaignId), form })
		},
		{ targets: ['scheduled', 'paused'] },
	),
	open,
	moveTemplate,
	decide,
	sparing('opt out', (scene) => setPerson(scene, true)),
	optIn,
	sparing('erase', ({ stage, accountId, person, userId }) =>
		eraseRecipient(stage.context, accountId, { number: person, userId }),
	),
	deactivate,
	deleteField,
	step(
		'change the rules of sending',
		({ db, accountId }) => upsertRules(db, accountId, { frequency: { messages: 1, days: 7 }, quiet: null }),
		{ leavesOut: true },
	),
	step('recharge', ({ stage, userId }) =>
		recharge(stage.context, String(userId), { amountPaise: 500, actor: stage.actor }),
	),
	step('change a price', ({ stage, userId }) =>
		changePrices(stage.context, String(userId), { marketingPaise: 70, utilityPaise: 10, actor: stage.actor }),
	),
]
