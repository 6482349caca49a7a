import { randomUUID } from 'node:crypto'
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSegment } from '#features/audiences/server/segments/segments.ts'
import { createCampaign, type CampaignForm } from '#features/campaigns/server/service.ts'
import { createField } from '#features/contacts/server/fields/fields.ts'
import { listListed } from '#features/developer/server/campaigns/message-queries.ts'
import { addToList, lockList, startList } from '#features/developer/server/campaigns/recipient-list.ts'
import { writeOrders } from '#features/developer/server/orders/write-orders.ts'
import { problemsOf } from '#lib/app-error.ts'
import { transaction } from '#lib/server/db.ts'
import { sha256 } from '#lib/server/secrets.ts'
import { campaignForm } from '#test/full-stack.ts'
import type { Begun, Operation, Order } from './operation.ts'
import type { Scene } from './scene.ts'

const problem = problemsOf({ listed: { status: 422, text: 'The campaign has this number already' } })

/** Returns an order by the form. It promises to reach exactly these numbers. */
function byForm({ stage, db, accountId, templateId }: Scene, numbers: string[], given: Partial<CampaignForm>): Begun {
	const form = campaignForm(templateId, { variables: {}, ...given })
	return {
		async run() {
			return { campaignId: await createCampaign(stage.context, accountId, form), numbers }
		},
		async check({ order }) {
			if (!order) return []
			const rows = await db<{ number: string }[]>`
				select number from campaign_messages where account_id = ${accountId} and campaign_id = ${order.campaignId}
			`
			const others = rows.filter(({ number }) => /^\d+$/.test(number) && !numbers.includes(number))
			return others.map(({ number }) => `the order reaches ${number}, whom it did not choose`)
		},
	}
}

const orderByForm: Operation = {
	name: 'order by form',
	orders: true,
	begin: (scene) => byForm(scene, scene.numbers, {}),
}

const orderByFile: Operation = {
	name: 'order by file',
	orders: true,
	async begin(scene) {
		const numbers = [scene.person, '919899999999']
		const path = join(scene.stage.context.env.DATA_DIR, `${randomUUID()}.csv`)
		await writeFile(path, ['number', ...numbers.map((number) => `+${number}`)].join('\n'))
		const file = { filename: 'people.csv', type: 'text/csv', path, bytes: (await stat(path)).size }
		return byForm(scene, numbers, { audienceType: 'file', file })
	},
}

/** Returns the id of the custom field that the account's segment tests: all contacts except the first have a value. */
export async function blockedField({ db, accountId, person }: Scene): Promise<string> {
	const [known] = await db<{ id: number }[]>`select id from contact_fields where account_id = ${accountId}`
	if (known) return String(known.id)
	const { id } = await createField(db, accountId, { name: 'Blocked', type: 'yesno' })
	await db`
		insert into contact_values (account_id, contact_id, numbers)
		select account_id, id, array_fill(1::float8, array[${id}::int]) from contacts
		where account_id = ${accountId} and number <> ${person}
	`
	return String(id)
}

const orderBySegment: Operation = {
	name: 'order by segment',
	orders: true,
	async begin(scene) {
		const field = await blockedField(scene)
		const rules = [{ kind: 'field', field, operator: 'isNot', value: 'yes' } as const]
		const name = `May be written to ${randomUUID().slice(0, 8)}`
		const { id } = await createSegment(scene.db, scene.accountId, { name, match: 'all', rules })
		return byForm(scene, [scene.person], { audienceType: 'segment', segmentId: String(id) })
	},
}

/** Operation in which a program orders with a key of yesterday, whose row has not been swept yet. */
const orderByApi: Operation = {
	name: 'order by API',
	orders: true,
	async begin({ db, accountId, person, templateName }) {
		const [keyHash, requestHash] = [sha256('daily'), sha256(`to ${person}`)]
		await db`
			insert into api_requests (account_id, key_hash, request_hash, answer, created_at)
			values (${accountId}, ${keyHash}, ${requestHash}, '{}', now() - interval '25 hours')
			on conflict do nothing
		`
		const order = {
			messages: [{ to: person, values: {} }],
			isList: false,
			idempotency: { keyHash, requestHash },
			key: { keyId: 1, dayLimitPaise: null },
		}
		const place = async () => {
			const [outcome] = await writeOrders(db, accountId, { ref: { name: templateName }, orders: [order] })
			if (!outcome || outcome instanceof Error) throw outcome ?? new Error('the order has no outcome')
			return outcome
		}
		let first: Awaited<ReturnType<typeof place>> | undefined
		return {
			async run() {
				first = await place()
				return { campaignId: first.campaignId, numbers: [person] }
			},
			async check() {
				if (!first) return []
				const [was, is] = [first, await place()].map(({ campaignId, before }) => `${campaignId}:${before}`)
				return was === is ? [] : [`the key was answered with message ${was}, then with ${is}`]
			},
		}
	},
}

const LATE = '919899999998'

/** Operation in which a program adds a page of recipients to its list. */
const append: Operation = {
	name: 'append to a list',
	targets: ['draft'],
	async begin(scene) {
		const { db, accountId } = scene
		const campaignId = await scene.campaign('draft')
		return {
			async run() {
				await transaction(db, async (sql) => {
					const list = await lockList(sql, accountId, String(campaignId))
					const listed = await listListed(sql, accountId, { campaignId, numbers: [LATE] })
					if (listed.length > 0) throw problem('listed')
					await addToList(sql, accountId, { list, recipients: [{ number: LATE, name: null, values: [] }] })
				})
				return undefined
			},
			async check({ isRefused }) {
				const rows = await db`
					select from campaign_messages where account_id = ${accountId} and campaign_id = ${campaignId} and number = ${LATE}
				`
				return isRefused || rows.length > 0 ? [] : ['a recipient who was added is not in the list']
			},
		}
	},
}

/**
 * Operation that starts a list. The first in a scene starts the list that other operations act on; the second starts
 * another list to the same people.
 */
const startTheList: Operation = {
	name: 'start a list',
	targets: ['draft'],
	orders: true,
	async begin(scene) {
		const { db, accountId, numbers } = scene
		const isSecond = scene.hasStarter
		scene.hasStarter = true
		const campaignId = isSecond ? await scene.makeDraft() : await scene.campaign('draft')
		return {
			async run(): Promise<Order> {
				await transaction(db, (sql) => startList(sql, accountId, String(campaignId)))
				return { campaignId, numbers }
			},
		}
	},
}

export const ORDERS: readonly Operation[] = [orderByForm, orderByFile, orderBySegment, orderByApi, append, startTheList]
