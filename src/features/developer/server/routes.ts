import { createProveAgain, type ProveAgain } from '#features/auth/server/second-factor/prove-again.ts'
import { listAddresses } from '#features/events/server/address-queries.ts'
import { mount, type Http } from '#lib/server/http/http.ts'
import { securityLog } from '#lib/server/http/security-log.ts'
import { developer } from '../contract.ts'
import { webhooks } from '../webhook-contract.ts'
import { createKey, revokeKey } from './keys/keys.ts'
import { listKeys, type ApiKeyRow } from './keys/queries.ts'
import { personOf } from './person.ts'
import { presentAmount } from './present.ts'
import { revokeAll } from './programs.ts'
import * as addresses from './webhooks/addresses.ts'
import type { AddressContext } from './webhooks/addresses.ts'
import { pageOfDeliveries } from './webhooks/deliveries.ts'

export function developerRoutes(http: Http, context: AddressContext): void {
	const { db } = context
	const proveAgain = createProveAgain(context)
	mount(http, developer.keys, async ({ session }) => ({
		keys: (await listKeys(db, session.accountId)).map(presentKey),
	}))

	mount(http, developer.createKey, async (call) => {
		const prove = () => proveAgain(call.session.userId, call.body)
		const made = await createKey(db, call.session.accountId, { person: personOf(call), form: call.body, prove })
		securityLog(call.request, { event: 'api-key.made' })
		return made
	})

	mount(http, developer.revokeKey, async (call) => {
		await revokeKey(db, call.session.accountId, { person: personOf(call), id: call.params.id })
		securityLog(call.request, { event: 'api-key.revoked' })
		return { message: 'The API key was revoked' }
	})

	mount(http, developer.revokeAll, async (call) => {
		const count = await revokeAll(db, call.session.accountId, personOf(call))
		if (count > 0) securityLog(call.request, { event: 'programs.revoked' })
		return { message: count > 0 ? 'All API keys and webhooks were revoked' : 'There was nothing to revoke' }
	})

	webhookRoutes(http, context, proveAgain)
}

function presentKey({ dayLimitPaise, spentPaise, ...key }: ApiKeyRow) {
	if (dayLimitPaise === null) return { ...key, dayLimit: null }
	return { ...key, dayLimit: { limit: presentAmount(dayLimitPaise), spent: presentAmount(spentPaise) } }
}

function webhookRoutes(http: Http, context: AddressContext, proveAgain: ProveAgain): void {
	const { db } = context
	mount(http, webhooks.addresses, async ({ session }) => ({ addresses: await listAddresses(db, session.accountId) }))

	mount(http, webhooks.create, async (call) => {
		const added = { person: personOf(call), target: call.body, prove: () => proveAgain(call.session.userId, call.body) }
		return logged(call, await addresses.addAddress(context, call.session.accountId, added))
	})

	mount(http, webhooks.change, async (call) => {
		const prove = () => proveAgain(call.session.userId, call.body)
		const changed = { person: personOf(call), id: call.params.id, target: call.body, prove }
		await addresses.changeAddress(context, call.session.accountId, changed)
		return logged(call, { message: 'The webhook was saved' })
	})

	mount(http, webhooks.rotateSecret, async (call) => {
		const secret = await addresses.rotateSecret(context, call.session.accountId, {
			person: personOf(call),
			id: call.params.id,
		})
		return logged(call, { secret })
	})

	mount(http, webhooks.sendTest, async ({ params, session }) => {
		await addresses.sendTest(context, session.accountId, params.id)
		return { message: 'A test event is on its way' }
	})

	mount(http, webhooks.deliveries, ({ params, query, session }) =>
		pageOfDeliveries(db, session.accountId, { address: params.id, ...query }),
	)

	mount(http, webhooks.sendAgain, async ({ params, session }) => {
		await addresses.sendAgain(context, session.accountId, params.id)
		return { message: 'It is sent again' }
	})

	mount(http, webhooks.remove, async (call) => {
		await addresses.deleteAddress(context, call.session.accountId, { person: personOf(call), id: call.params.id })
		return logged(call, { message: 'The webhook was deleted' })
	})
}

function logged<T>({ request }: { request: Parameters<typeof securityLog>[0] }, answer: T): T {
	securityLog(request, { event: 'webhook-address.changed' })
	return answer
}
