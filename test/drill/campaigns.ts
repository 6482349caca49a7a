import { auth } from '#features/auth/contract.ts'
import { campaigns } from '#features/campaigns/contract.ts'
import { contacts } from '#features/contacts/contract.ts'
import { templates } from '#features/templates/contract.ts'
import { wallet } from '#features/wallet/contract.ts'
import { whatsapp } from '#features/whatsapp/contract.ts'
import type { Db } from '#lib/server/db.ts'
import type { Simulator } from '#simulator/simulator.ts'
import { call } from '../http-app.ts'
import { until } from '../until.ts'

export const ADMIN = { email: 'admin@drill.example', password: 'a long one for drills' }

/** Variables that create the admin at the first start, and give up unconfirmed messages after 20 seconds. */
export const ADMIN_VARIABLES = { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password, UNKNOWN_AFTER: '20' }

/** Status plan of the network: the usual statuses, sooner than those of people. */
export const STATUSES = { sentMs: 100, deliveredMs: 400, readMs: 1000, readRate: 0.5, failRate: 0 }

/** Returns the variables of a process of the product that is reached at `url`. */
export function productEnv({
	simulator,
	url,
	dataDir,
}: {
	simulator: Pick<Simulator, 'url'>
	url: string
	dataDir: string
}) {
	return {
		...ADMIN_VARIABLES,
		PATH: process.env.PATH,
		NODE_ENV: 'test',
		SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
		GRAPH_URL: simulator.url,
		PUBLIC_URL: url,
		DATA_DIR: dataDir,
	}
}

export interface GivenCampaigns {
	senders: number
	/** Number of recipients of each sender. */
	recipients: number
	perSecond: number
}

export interface StartedCampaign {
	/** Session token of the account's user. */
	token: string
	id: string
}

const CLAIMED_MS = 120_000
const BODY = [{ type: 'BODY' as const, text: 'Hello {{1}}, welcome!', example: { body_text: [['Asha']] } }]

/**
 * Creates `senders` accounts with a sender each, and starts a campaign in each. Uses only calls that the last release has
 * too.
 */
export async function startCampaigns(
	{ url, simulator, db }: { url: string; simulator: Pick<Simulator, 'control'>; db: Db },
	given: GivenCampaigns,
): Promise<StartedCampaign[]> {
	const started: StartedCampaign[] = []
	const { token: admin } = (await call(url, auth.login, { body: ADMIN, token: undefined })).body
	for (let index = 0; index < given.senders; index++) {
		const person = { name: `Person ${index}`, email: `person${index}@drill.example`, password: 'correct horse' }
		const { user } = (await call(url, auth.createUser, { body: person, token: admin })).body
		const params = { userId: user._id }
		await call(url, wallet.recharge, { params, body: { amount: given.recipients * 2 }, token: admin })
		const credentials = await simulator.control.createAccount()
		const template = { waba_id: credentials.waba_id, name: 'hello', category: 'MARKETING' as const, components: BODY }
		await simulator.control.addTemplate(template)
		await call(url, whatsapp.saveCredentials, { params, body: credentials, token: admin })
		const { token } = (await call(url, auth.login, { body: person, token: undefined })).body
		await call(url, templates.sync, { token })
		const people = Array.from({ length: given.recipients }, (_, row) => ({
			firstName: `Contact ${row}`,
			lastName: '',
			number: numberPrefix(index) + String(row).padStart(6, '0'),
		}))
		await call(url, contacts.addMany, { body: { contacts: people }, token })
		await db`update senders set messages_per_second = ${given.perSecond}`
		const [first] = (await call(url, templates.list, { token })).body.templates
		const form = { name: 'Drill', templateId: first?._id ?? '', variables: '{"var1":"{{firstName}}"}' }
		const made = await call(url, campaigns.create, { body: form, token })
		if (made.status !== 200) throw new Error(`the campaign was refused: ${made.body.message}`)
		started.push({ token, id: made.body.campaign._id })
	}
	return started
}

/** Returns the prefix of the numbers of a sender's recipients. */
export const numberPrefix = (sender: number) => `91${9000 + sender}`

/** Resolves when this number of messages of all campaigns together is claimed. */
export async function untilClaimed(db: Db, messages: number): Promise<void> {
	await until(async () => (await countClaimed(db)) >= messages, CLAIMED_MS, 100)
}

export async function countClaimed(db: Db): Promise<number> {
	const [row] = await db<{ claimed: number }[]>`
		select coalesce(sum(claimed_through), 0)::int8 as claimed from campaigns
	`
	return row?.claimed ?? 0
}
