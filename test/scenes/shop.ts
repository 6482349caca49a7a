import { v1Messages } from '#features/developer/v1-message-contract.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import type { PartIn } from '#lib/endpoint.ts'
import { apiKey } from '../factories.ts'
import { sendingAccount, type Product } from '../full-stack.ts'
import { call } from '../http-app.ts'

export interface Problem {
	code: string
	detail: string
	errors?: { path: string; detail: string }[]
	needed?: { paise: number; rupees: string }
	available?: { paise: number; rupees: string }
}

export interface Sent {
	status: number
	body: { id: string; campaignId: string; price: { paise: number } } & Problem
}

/** Creates a shop with a template "hello", this much money, and an API key for its program. */
export async function openShop(
	product: Product,
	given: { balancePaise: number; perSecond?: number; contacts?: number },
) {
	const sender = await sendingAccount(product, { contacts: 0, ...given })
	const { token } = await apiKey(product.db, sender)
	const post = async (path: string, body: object, key?: string): Promise<Sent> => {
		const response = await fetch(product.process.url + path, {
			method: 'POST',
			headers: {
				authorization: `Bearer ${token}`,
				'content-type': 'application/json',
				...(key !== undefined && { 'idempotency-key': key }),
			},
			body: JSON.stringify(body),
		})
		return { status: response.status, body: (await response.json()) as Sent['body'] }
	}
	const template = { name: 'hello' }
	return {
		...sender,
		session: sender.token,
		token,
		post,
		send: (
			to: string,
			{
				key,
				...more
			}: { key?: string; template?: object; values?: object; reference?: string; metadata?: object } = {},
		) => post('/v1/messages', { to, template, values: { var1: 'Asha' }, ...more }, key),
		sendBatch: (messages: object[], key?: string) => post('/v1/messages/batch', { template, messages }, key),
		list: async (query: PartIn<typeof v1Messages.messages.query> = {}) =>
			(await call(product.process.url, v1Messages.messages, { query, token })).body,
		find: async (id: string) => (await call(product.process.url, v1Messages.message, { params: { id }, token })).body,
		wallet: () => getWallet(product.db, sender.accountId),
		entries: () => product.db<{ id: number; name: string; kind: string; status: string; total: number }[]>`
			select id, name, kind, status, total_count as total from campaigns where account_id = ${sender.accountId} order by id
		`,
	}
}
