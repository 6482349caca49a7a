import { auth } from '#features/auth/contract.ts'
import { campaigns } from '#features/campaigns/contract.ts'
import { contacts } from '#features/contacts/contract.ts'
import { templates } from '#features/templates/contract.ts'
import { wallet } from '#features/wallet/contract.ts'
import { whatsapp } from '#features/whatsapp/contract.ts'
import type { Db } from '#lib/server/db.ts'
import type { Simulator } from '#simulator/simulator.ts'
import { call } from '../http-app.ts'

export const ADMIN = { email: 'admin@drill.example', password: 'a long one for drills' }

export interface GivenCampaigns {
	senders: number
	/** Of each sender. */
	recipients: number
	perSecond: number
}

const BODY = [{ type: 'BODY' as const, text: 'Hello {{1}}, welcome!', example: { body_text: [['Asha']] } }]

/** Starts a campaign of each of some new senders by the calls that screens make, which releases have in common. */
export async function startCampaigns(
	{ url, simulator, db }: { url: string; simulator: Simulator; db: Db },
	given: GivenCampaigns,
): Promise<void> {
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
			number: `91${9000 + index}${String(row).padStart(6, '0')}`,
		}))
		await call(url, contacts.addMany, { body: { contacts: people }, token })
		await db`update senders set messages_per_second = ${given.perSecond}`
		const [first] = (await call(url, templates.list, { token })).body.templates
		const form = { name: 'Drill', templateId: first?._id ?? '', variables: '{"var1":"{{firstName}}"}' }
		const made = await call(url, campaigns.create, { body: form, token })
		if (made.status !== 200) throw new Error(`the campaign was refused: ${made.body.message}`)
	}
}
