import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { campaigns } from '#features/campaigns/contract.ts'
import { chats } from '#features/chats/contract.ts'
import { contacts } from '#features/contacts/contract.ts'
import { contactGroups } from '#features/contacts/group-contract.ts'
import type { Endpoint } from '#lib/endpoint.ts'
import type { Control } from '#simulator/control.ts'
import type { sendingAccount } from '../full-stack.ts'
import { call } from '../http-app.ts'

type Sender = Awaited<ReturnType<typeof sendingAccount>>

export interface ClientCounts {
	/** Number of answers to each kind of call. */
	answered: Record<string, number>
	/** Number of calls that were repeated because their connection broke. */
	repeated: number
	/** Errors that a person would have seen, as text. */
	errors: string[]
}

/** Prefix of the numbers of customers in chats; recipients of campaigns have others. */
export const CUSTOMER_PREFIX = '91700'
const RECIPIENTS = 60
const RESTART_MS = 30_000
const PAUSE_MS = 1000
const PAGE = { page: 1, limit: 10, search: '' }

/** Acts as one account's users: repeatedly imports contacts, sends them a campaign, chats, exports and reads lists. */
export async function runClient(
	{ url, simulator, sender, counts }: { url: string; simulator: Control; sender: Sender; counts: ClientCounts },
	signal: AbortSignal,
): Promise<void> {
	const { token, accountId, credentials, templateId } = sender
	/** Repeats a call while its connection breaks, and never after an answer. */
	const ask = async <E extends Endpoint>(endpoint: E, args: Omit<Parameters<typeof call<E>>[2], 'token'>) => {
		const deadline = performance.now() + RESTART_MS
		for (;;) {
			try {
				const answer = await call(url, endpoint, { ...args, token })
				counts.answered[endpoint.path] = (counts.answered[endpoint.path] ?? 0) + 1
				if (answer.status === 200) return answer.body
				throw new Error(`${endpoint.path}: ${answer.status} ${answer.body.message ?? ''}`)
			} catch (error) {
				const isBroken = error instanceof TypeError
				if (!isBroken || performance.now() > deadline) throw error
				counts.repeated++
				await sleep(200)
			}
		}
	}
	const customer = `${CUSTOMER_PREFIX}${String(accountId).padStart(7, '0')}`
	const round = async (index: number) => {
		const { contactGroup } = await ask(contactGroups.create, {
			body: { name: `Group ${index} ${randomUUID()}`, type: 'national' },
		})
		const people = Array.from({ length: RECIPIENTS }, (_, row) => ({
			firstName: `Person ${row}`,
			lastName: '',
			number: `918${String(accountId).padStart(3, '0')}${String(index * RECIPIENTS + row).padStart(6, '0')}`,
		}))
		await ask(contacts.addMany, { body: { contacts: people, group: contactGroup._id } })
		const order = { name: `Round ${index}`, templateId, variables: '{"var1":"{{firstName}}"}' }
		const audience = { audienceType: 'group' as const, selectedGroup: contactGroup._id, requestId: randomUUID() }
		await ask(campaigns.create, { body: { ...order, ...audience } })
		await simulator.sendInbound({ phone_number_id: credentials.phone_number_id, from: customer })
		await ask(campaigns.list, { query: { ...PAGE, sort: 'createdAt', order: 'desc', tests: 'hide' } })
		await ask(contacts.exportCsv, { query: { search: '' } })
		await ask(contacts.list, { query: PAGE })
		if (index > 0)
			await ask(chats.send, { body: { number: customer, message: `Answer ${index}`, requestId: randomUUID() } })
		await ask(chats.messages, { params: { number: customer }, query: { limit: 20 } })
	}
	for (let index = 0; !signal.aborted; index++) {
		await round(index).catch((error: unknown) => counts.errors.push(String(error)))
		await sleep(PAUSE_MS)
	}
}
