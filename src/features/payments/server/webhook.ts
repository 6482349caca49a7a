import type { FastifyReply, FastifyRequest } from 'fastify'
import { transaction } from '#lib/server/db.ts'
import { publish } from '#lib/server/db/channels/channels.ts'
import type { Http } from '#lib/server/http/http.ts'
import { securityLog } from '#lib/server/http/security-log.ts'
import { isSignature } from '#lib/server/secrets.ts'
import { problem } from '../problems.ts'
import * as checks from './check-queries.ts'
import type { WebhookSubject } from './provider/provider.ts'
import { paymentChannel, providerOf, type PaymentContext } from './service.ts'

export const WEBHOOK_PATH = '/api/webhooks/razorpay'
/** Maximum bytes of a webhook; Razorpay sends some 5 kB. */
const MAX_BYTES = 256 * 1024

/**
 * Mounts the address that the provider calls. It is not an endpoint of the contract, because the provider defines its format.
 * The body is kept as bytes, over which the signature is computed.
 */
export function paymentWebhookRoutes(http: Http, context: PaymentContext): void {
	const refuse = (request: FastifyRequest) => {
		context.paymentCounters.webhooksRefused++
		securityLog(request, { event: 'payment.refused', reason: 'signature of a webhook' })
		throw problem('payment_webhook_refused')
	}
	// Refuses a call without a possible signature before its body is read.
	const onRequest = async (request: FastifyRequest) => {
		providerOf(context)
		if (!isSignature(`sha256=${signatureOf(request)}`)) refuse(request)
	}
	void http.register((scope, _options, done) => {
		scope.removeAllContentTypeParsers()
		scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BYTES }, (_request, body, parsed) =>
			parsed(null, body),
		)
		scope.post(WEBHOOK_PATH, { helmet: false, compress: false, onRequest }, async (request, reply: FastifyReply) => {
			const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
			const subject = providerOf(context).verifyWebhook(bytes, signatureOf(request))
			if (subject) await receive(context, subject)
			else refuse(request)
			return reply.type('text/plain').send('OK')
		})
		done()
	})
}

function signatureOf({ headers }: FastifyRequest): string {
	return headers['x-razorpay-signature']?.toString() ?? ''
}

/** Asks for a check of the payment that a webhook is about. Logs a webhook about no payment of this installation. */
async function receive({ db, log }: PaymentContext, { event, reference, providerPaymentId }: WebhookSubject) {
	const keys: checks.ProviderKey[] = [
		...(reference === null ? [] : [{ reference }]),
		...(providerPaymentId === null ? [] : [{ providerPaymentId }]),
	]
	for (const key of keys) {
		const accounts = await checks.listPayersAllAccounts(db, key)
		for (const accountId of accounts)
			await transaction(db, async (sql) => {
				await checks.requestCheck(sql, accountId, { key, cause: 'webhook' })
				publish(sql, paymentChannel, accountId)
			})
		if (accounts.length > 0) return
	}
	log.warn({ event, reference }, 'a webhook is about no payment here')
}
