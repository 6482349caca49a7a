import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { campaignPreflight } from '#features/campaigns/preflight-contract.ts'
import { chats } from '#features/chats/contract.ts'
import { insertContacts } from '#features/contacts/server/contacts/queries.ts'
import { recordWhatsappIds, setOptOuts } from '#features/contacts/server/opt-outs/opt-outs.ts'
import { webhooks } from '#features/developer/webhook-contract.ts'
import { notify } from '#features/notifications/server/service.ts'
import { privacy } from '#features/privacy/contract.ts'
import type { Endpoint } from '#lib/endpoint.ts'
import { displayNumber } from '#lib/phone/phone.ts'
import { transaction } from '#lib/server/db.ts'
import { identifier } from '#lib/server/statement.ts'
import { campaignWhen, moneyFindings, sendingAccount, startCampaign, type Product } from '../full-stack.ts'
import { call } from '../http-app.ts'
import { until } from '../until.ts'
import { ALL_EVENTS } from './webhook-scene.ts'

export type Sender = Awaited<ReturnType<typeof sendingAccount>> & { number: string }

/** Returns a name that contains a part of the person's number, so that a search finds only this person's texts. */
const nameOf = (number: string) => `Quagmire-${number.slice(-5)}`
const xylophoneOf = ({ number }: { number: string }) => `xylophone-${number.slice(-5)}`
const otherIdOf = ({ number }: Sender) => `${number.slice(0, -5)}9${number.slice(-4)}`

/**
 * Returns functions that create accounts with a customer to be erased, and that search for the remains of this
 * customer.
 */
export function erasureScene(product: Product) {
	const { db } = product
	let people = 0

	/** Creates an account that can send, and the number of a customer unknown to all other tests. */
	async function newSender(given: Parameters<typeof sendingAccount>[1]): Promise<Sender> {
		const sender = await sendingAccount(product, given)
		// The receiver is unreachable, so that all events about the customer wait in the database.
		const body = { url: 'https://receiver.invalid/', events: ALL_EVENTS, currentPassword: sender.password }
		assert.equal((await call(product.process.url, webhooks.create, { body, token: sender.token })).status, 201)
		return { ...sender, number: `9198765${String(10_000 + ++people * 7)}` }
	}
	const ask = <const E extends Endpoint>(sender: Sender, endpoint: E, given: object = {}) =>
		call(product.process.url, endpoint, { ...given, token: sender.token })
	const erase = (sender: Sender, number = sender.number) => ask(sender, privacy.erase, { body: { number } })
	const addPerson = (sender: Sender, number = sender.number) =>
		insertContacts(db, sender.accountId, [{ firstName: 'Zebulon', lastName: nameOf(number), number, groupId: null }])

	/** Returns the columns of the database and the files that contain a text. */
	async function findEverywhere(text: string): Promise<string[]> {
		const columns = await db<{ table: string; column: string }[]>`
			select c.relname as table, a.attname as column
			from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
			where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
		`
		const found: string[] = []
		for (const { table, column } of columns) {
			const [row] = await db<{ rows: number }[]>`
				select count(*) as rows from ${identifier(table)} where position(${text} in ${identifier(column)}::text) > 0
			`
			if (row && row.rows > 0) found.push(`${table}.${column}`)
		}
		const folder = join(product.env.DATA_DIR ?? '', 'files')
		for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])) {
			const path = join(entry.parentPath, entry.name)
			if (path.includes(text) || (entry.isFile() && (await readFile(path)).includes(text))) found.push(path)
		}
		return found
	}

	const write = (sender: Sender, message: object) =>
		product.simulator.control.sendInbound({
			phone_number_id: sender.credentials.phone_number_id,
			from: sender.number,
			...message,
		})
	const messagesOf = async (sender: Sender, number = sender.number) =>
		(await ask(sender, chats.messages, { params: { number } })).body.messages

	/** Creates a customer whose data is in every table and file that may contain personal data. */
	async function knownPerson(): Promise<{ sender: Sender; campaignId: number; wamids: string[] }> {
		const sender = await newSender({ contacts: 2, balancePaise: 10_000 })
		await addPerson(sender)
		const campaignId = await startCampaign(product, sender)
		await campaignWhen(product, { ...sender, campaignId }, (c) => c.sent === 0 && c.pending === 0)
		await write(sender, { content: { body: `Where is my ${xylophoneOf(sender)}?` } })
		await write(sender, { type: 'image' })
		await until(async () => (await messagesOf(sender)).some(({ mediaState }) => mediaState === 'ready'))
		const sent = await ask(sender, chats.send, {
			body: { number: sender.number, message: `Your ${xylophoneOf(sender)} is here` },
		})
		assert.equal(sent.status, 200)
		const body = {
			number: sender.number,
			templateId: sender.templateId,
			variables: { var1: `Mr ${nameOf(sender.number)}` },
		}
		assert.equal((await ask(sender, campaignPreflight.sendTest, { body })).status, 200)
		await until(async () => (await moneyFindings(db)).length === 0)
		await until(async () => {
			const open = await db`select 1 from campaigns where account_id = ${sender.accountId} and finished_at is null`
			return open.length === 0
		})
		await transaction(db, async (sql) => {
			await setOptOuts(sql, sender.accountId, { numbers: [sender.number], optedOut: true, because: 'manual' })
			await setOptOuts(sql, sender.accountId, { numbers: [sender.number], optedOut: false, because: 'manual' })
			await recordWhatsappIds(sql, sender.accountId, [{ number: sender.number, waId: otherIdOf(sender) }])
			await notify(sql, sender.accountId, { text: `Call ${displayNumber(sender.number)} back` })
		})
		const rows = await db<{ wamid: string }[]>`
			select wamid from campaign_messages where account_id = ${sender.accountId} and number = ${sender.number}
			order by campaign_id
		`
		return { sender, campaignId, wamids: rows.map(({ wamid }) => wamid) }
	}

	const textsOf = (sender: Sender) => [
		sender.number,
		otherIdOf(sender),
		displayNumber(sender.number),
		nameOf(sender.number),
		xylophoneOf(sender),
	]

	return {
		newSender,
		nameOf,
		xylophoneOf,
		ask,
		erase,
		addPerson,
		findEverywhere,
		write,
		messagesOf,
		knownPerson,
		textsOf,
	}
}
