import { actorOf } from '#features/auth/server/service.ts'
import { mount, type Http } from '#lib/server/http.ts'
import { securityLog } from '#lib/server/security-log.ts'
import { whatsapp } from '../contract.ts'
import { getCredentials, saveCredentials, type CredentialsContext } from './credentials.ts'
import { deliveryRoutes } from './delivery-routes.ts'
import { webhookRoutes, type WebhookContext } from './webhooks/webhook.ts'

export function whatsappRoutes(http: Http, context: CredentialsContext & WebhookContext): void {
	mount(http, whatsapp.credentials, async ({ params, request }) => {
		const credentials = await getCredentials(context, params.userId)
		securityLog(request, { event: 'credentials.read' })
		return credentials
	})

	mount(http, whatsapp.saveCredentials, async (call) => {
		const typed = { ...call.body, actor: actorOf(call) }
		const { credentials, warnings } = await saveCredentials(context, call.params.userId, typed)
		securityLog(call.request, { event: 'credentials.changed' })
		return { message: 'Credentials saved successfully', credentials, warnings }
	})

	deliveryRoutes(http, context)
	webhookRoutes(http, context)
}
