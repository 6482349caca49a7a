import { actorOf, getMember, recordAdminAction } from '#features/auth/server/service.ts'
import { notFound } from '#lib/problems.ts'
import { type Db, transaction } from '#lib/server/db.ts'
import { publish } from '#lib/server/db/channels/channels.ts'
import { readPage } from '#lib/server/db/paging.ts'
import { type Http, mount } from '#lib/server/http/http.ts'
import { securityLog } from '#lib/server/http/security-log.ts'
import { whatsapp } from '../contract.ts'
import { type CredentialsContext, getCredentials, saveCredentials } from './credentials.ts'
import * as queries from './delivery-queries.ts'
import { type WebhookContext, webhookRoutes } from './webhooks/webhook.ts'
import { webhooksChannel } from './webhooks/webhooks-channel.ts'

export function whatsappRoutes(http: Http, context: CredentialsContext & WebhookContext): void {
	mount(http, whatsapp.credentials, async ({ params, request }) => {
		const credentials = await getCredentials(context, params.userId)
		securityLog(request, { event: 'credentials.read' })
		return credentials
	})

	mount(http, whatsapp.saveCredentials, async (call) => {
		const typed = { ...call.body, actor: actorOf(call) }
		const saved = await saveCredentials(context, call.params.userId, typed)
		securityLog(call.request, { event: 'credentials.changed' })
		return { message: 'Credentials saved successfully', ...saved }
	})

	deliveryRoutes(http, context)
	webhookRoutes(http, context)
}

/** Mounts the admin's calls about inbound webhooks, such as the repetition of a dead letter. */
function deliveryRoutes(http: Http, { db }: { db: Db }): void {
	mount(http, whatsapp.webhooks, async ({ query }) => {
		const counting = queries.countAccountsAllAccounts(db, query.search)
		const { rows, ...place } = await readPage(query, queries.listAccountsAllAccounts(db, query), counting)
		return { accounts: rows, ...place }
	})

	mount(http, whatsapp.keptDeliveries, async ({ params }) => {
		const { accountId } = await getMember(db, params.userId)
		return { deliveries: await queries.listDeadLetters(db, accountId) }
	})

	mount(http, whatsapp.replayDelivery, async (call) => {
		const { userId, id } = call.params
		const member = await getMember(db, userId)
		await transaction(db, async (sql) => {
			const reason = await queries.requeueDeadLetter(sql, member.accountId, id)
			if (reason === undefined) throw notFound('Delivery')
			const details = `delivery ${id}, ${reason}`.slice(0, 500)
			await recordAdminAction(sql, actorOf(call), { action: 'webhook-replayed', subjectId: member.id, details })
			publish(sql, webhooksChannel, member.accountId)
		})
		return { message: 'The delivery is being processed again' }
	})
}
