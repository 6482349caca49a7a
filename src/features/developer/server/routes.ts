import type { Db } from '#lib/server/db.ts'
import { addressOf, mount, type Http } from '#lib/server/http.ts'
import { securityLog } from '#lib/server/security-log.ts'
import { developer } from '../contract.ts'
import { createKey, revokeKey } from './keys/keys.ts'
import { listKeys } from './keys/queries.ts'

export function developerRoutes(http: Http, { db }: { db: Db }): void {
	mount(http, developer.keys, async ({ session }) => ({ keys: await listKeys(db, session.ownerId) }))

	mount(http, developer.createKey, async ({ body: form, session: { ownerId, userId }, request }) => {
		const made = await createKey(db, ownerId, { person: { userId, ip: addressOf(request) }, form })
		securityLog(request, { event: 'api-key.made' })
		return made
	})

	mount(http, developer.revokeKey, async ({ params, session: { ownerId, userId }, request }) => {
		await revokeKey(db, ownerId, { person: { userId, ip: addressOf(request) }, id: params.id })
		securityLog(request, { event: 'api-key.revoked' })
		return { message: 'The API key was revoked' }
	})
}
