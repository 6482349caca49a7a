import type { v1 } from '#features/developer/v1-contract.ts'
import { presentAmount } from '../present.ts'
import type { DocsOf } from './docs.ts'

const TEMPLATE = {
	id: '12',
	name: 'order_update',
	language: 'en',
	status: 'APPROVED',
	category: 'UTILITY',
	components: [{ type: 'BODY', text: 'Hello {{1}}, your order {{2}} is on its way.' }],
	values: ['var1', 'var2'],
}

const GROUP = {
	id: '7',
	name: 'Buyers',
	type: 'national',
	description: null,
	contacts: 1240,
	createdAt: '2026-11-20T09:00:00.000Z',
} as const

export const ACCOUNT_DOCS: DocsOf<typeof v1> = {
	description: { description: 'The whole API as an OpenAPI 3.1 document, for generators of clients.', response: {} },
	balance: {
		description: 'What the wallet has, what of it is set aside, and what a message costs at present.',
		response: {
			available: presentAmount(1_234_500),
			held: presentAmount(320_000),
			prices: { marketing: presentAmount(100), utility: presentAmount(30) },
		},
	},
	statement: {
		description:
			'The lines of the wallet, the newest first: recharges, what campaigns and messages took, and what came back.',
		response: {
			data: [
				{
					id: '981',
					time: '2026-11-23T10:15:30.000Z',
					kind: 'hold',
					campaign: { id: '1000000017', name: 'API · order_update · 23 Nov' },
					messageCount: 42,
					availableChange: presentAmount(-1260),
					heldChange: presentAmount(1260),
					available: presentAmount(1_234_500),
					held: presentAmount(320_000),
				},
			],
			next: '981',
		},
	},
	templates: {
		description: 'The templates of your account, the oldest first, with the values that a message needs.',
		response: { data: [TEMPLATE], next: null },
	},
	template: { description: 'One template.', response: TEMPLATE },
	contacts: {
		description: 'Contacts, the oldest first: all, or those of a group or with a tag.',
		response: {
			data: [
				{
					id: '501',
					firstName: 'Asha',
					lastName: 'Rao',
					number: '447700900123',
					groupId: '7',
					optedOutAt: null,
					tags: ['VIP'],
					fields: { City: 'Pune', Birthday: '1990-11-25' },
					createdAt: '2026-11-20T09:05:00.000Z',
				},
			],
			next: '501',
		},
		errors: ['not_found'],
	},
	upsertContacts: {
		description:
			'Adds up to 5,000 contacts, and gives those whose number your account has already their new names, tags and fields: all of them, or none with a 422 that names every fault. Sending it again changes nothing more. `tags` are all that a contact shall have, and are made where they are new; fields are made in the app. `consent` says where and when these people agreed to be written to.',
		request: {
			contacts: [
				{ firstName: 'Asha', lastName: 'Rao', number: '+447700900123', tags: ['VIP'], fields: { City: 'Pune' } },
				{ firstName: 'Ravi', number: '+447700900124' },
			],
			group: '7',
		},
		response: { added: 1, updated: 1 },
		errors: ['not_found', 'conflict'],
	},
	deleteContact: {
		description: 'Deletes a contact. Whether its number has opted out stays known.',
		response: { id: '501' },
	},
	groups: { description: 'Groups of contacts, the oldest first.', response: { data: [GROUP], next: null } },
	createGroup: {
		description: 'Creates a group of contacts.',
		request: { name: 'Buyers' },
		response: { ...GROUP, contacts: 0 },
		errors: ['conflict'],
	},
	deleteGroup: { description: 'Deletes a group. Its contacts stay, without a group.', response: { id: '7' } },
	optOuts: {
		description: 'Numbers that receive no marketing, in contacts or not, in the order of the numbers.',
		response: { data: [{ number: '447700900124', since: '2026-11-21T08:00:00.000Z', because: 'reply' }], next: null },
	},
	setOptOuts: {
		description:
			'Opts up to 5,000 numbers out of marketing, or back in: all of them, or none with a 422. Sending it again changes nothing more.',
		request: { numbers: ['+447700900124'], optedOut: true },
		response: { changed: 1 },
	},
}
