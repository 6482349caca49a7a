import { contract } from '#app/contract.ts'
import { admits, type Endpoint, type Seat } from '#lib/endpoint.ts'

/** Persons of the matrix, in the order of its columns. */
export const PERSONS = ['agent', 'template-agent', 'manager', 'owner', 'admin'] as const
export type Person = (typeof PERSONS)[number]

const INTRODUCTION = `# Who may make each call

Written by \`npm run access\` from the contracts, and tried by \`test/access.test.ts\`. An agent answers chats. An agent + also sends
templates in chats. A manager also works with contacts, templates, campaigns and statements. The owner may do everything in the account
([decision 94](decisions/0094-a-colleague-is-a-user-who-works-in-an-account.md)).
`

/** Returns every call of the contract with its name, such as `chats.send`. */
export const endpoints = Object.entries(contract).flatMap(([feature, calls]) =>
	Object.entries(calls).map(([name, endpoint]) => ({ name: `${feature}.${name}`, endpoint: endpoint as Endpoint })),
)

/** Returns the text of docs/access.md. */
export function describeAccess(): string {
	const heads = ['Call', 'Route', 'Agent', 'Agent +', 'Manager', 'Owner', 'Admin', 'API key', 'Anyone']
	const rows = endpoints.map(({ name, endpoint }) => [
		name,
		`\`${endpoint.method} ${endpoint.path}\``,
		...cellsOf(endpoint).map((isAllowed) => (isAllowed ? '✓' : '')),
	])
	const lines = [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
	return `${INTRODUCTION}\n${lines.join('\n')}\n`
}

function cellsOf({ access }: Endpoint): boolean[] {
	const persons = PERSONS.map((person) => {
		const [role, seat]: ['admin' | 'user', Seat] = person === 'admin' ? ['admin', 'owner'] : ['user', person]
		return access !== 'key' && admits(access, { role, seat })
	})
	return [...persons, access === 'key', access === 'public']
}

/** Returns the persons who may make each call, by its name, as docs/access.md lists them. */
export function readAccess(text: string): Map<string, Set<Person>> {
	const rows = text.split('\n').filter((line) => /^\| \w+\./.test(line))
	return new Map(
		rows.map((row) => {
			const [name = '', , ...cells] = row
				.split('|')
				.slice(1, -1)
				.map((cell) => cell.trim())
			return [name, new Set(PERSONS.filter((_, index) => cells[index] === '✓'))] as const
		}),
	)
}

/** Valid bodies for calls that validate the body before they look up the id. */
export const BODIES: Record<string, object> = {
	'campaigns.createGroup': { name: 'Readers', of: 'read' },
	'campaigns.decideRestored': { sentThrough: 0 },
	'colleagues.setSeat': { seat: 'manager', currentPassword: 'correct horse' },
	'campaigns.update': { name: 'Offer' },
	'contacts.setOptOut': { optedOut: true },
	'contacts.update': { firstName: 'Asha', number: '9876543210' },
	'headerFiles.addAddress': { address: 'https://localhost/a.pdf' },
	'webhooks.change': { url: 'https://shop.example/', events: ['wallet.low'] },
	'contactTags.rename': { name: 'Gold' },
	'payments.returned': {
		razorpay_payment_id: 'pay_1',
		razorpay_payment_link_id: 'plink_1',
		razorpay_payment_link_reference_id: '1-1',
		razorpay_payment_link_status: 'paid',
		razorpay_signature: '0',
	},
	'replies.changeAutomatic': { kind: 'keyword', phrases: ['price'], text: 'Ours', monthlyLimit: 5 },
	'replies.changeSaved': { shortcut: 'ours', text: 'Ours', keepsFile: 'true' },
	'segments.update': { name: 'Ours', match: 'all', rules: [{ kind: 'optedOut', is: false }] },
	'customFields.rename': { name: 'Town' },
	'contactGroups.update': { name: 'Friends', type: 'national' },
	'v1.addRecipients': { recipients: [{ to: '9876543210' }] },
}
