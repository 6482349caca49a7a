import * as z from 'zod/mini'
import type { Db } from '#lib/server/db.ts'
import { AppError } from '#lib/server/errors.ts'
import type { Http } from '#lib/server/http.ts'
import { isSignedBy, sameText, type Vault } from '#lib/server/secrets.ts'
import { findWebhookAccount, insertDelivery, type WebhookAccount } from './service.ts'

export interface WebhookContext {
	db: Db
	vault: Vault
	env: { META_APP_SECRET?: string | undefined; ALLOW_UNSIGNED_WEBHOOKS: boolean }
}

const PATH = '/api/webhooks/whatsapp/:key'
/** Meta sends up to 3 MB at once. */
const LARGEST_DELIVERY_BYTES = 4 * 1024 * 1024

const Key = z.object({ key: z.string() })
const Handshake = z.object({
	'hub.mode': z.literal('subscribe'),
	'hub.verify_token': z.string(),
	'hub.challenge': z.string().check(z.maxLength(1000)),
})

/**
 * Where Meta calls: not an endpoint of the contract, as its caller and its shapes are Meta's. The body stays the bytes it
 * came as, since the signature is over exactly those.
 */
export function webhookRoutes(http: Http, context: WebhookContext): void {
	void http.register((scope, _options, done) => {
		scope.removeAllContentTypeParsers()
		scope.addContentTypeParser(
			'*',
			{ parseAs: 'buffer', bodyLimit: LARGEST_DELIVERY_BYTES },
			(_request, body, parsed) => parsed(null, body),
		)
		scope.get(PATH, async (request, reply) => {
			const challenge = await answerHandshake(context, Key.parse(request.params).key, request.query)
			return reply.type('text/plain').send(challenge)
		})
		scope.post(PATH, async (request, reply) => {
			const signature = request.headers['x-hub-signature-256']
			const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
			await receive(context, Key.parse(request.params).key, { bytes, signature: signature?.toString() })
			return reply.type('text/plain').send('OK')
		})
		done()
	})
}

async function answerHandshake(context: WebhookContext, key: string, query: unknown): Promise<string> {
	const asked = Handshake.safeParse(query)
	const account = await findWebhookAccount(context.db, key)
	if (!asked.success || !account || !sameText(asked.data['hub.verify_token'], account.verifyToken)) {
		throw new AppError(403, 'This is not the verify token of this address')
	}
	return asked.data['hub.challenge']
}

async function receive(
	context: WebhookContext,
	key: string,
	delivery: { bytes: Buffer; signature: string | undefined },
): Promise<void> {
	const account = await findWebhookAccount(context.db, key)
	if (!account) throw new AppError(404, 'Nobody receives webhooks here')
	if (!isGenuine(context, account, delivery)) throw new AppError(401, 'The signature does not fit')
	await insertDelivery(context.db, account.ownerId, delivery.bytes.toString('utf8'))
}

/** Unsigned deliveries are only ever taken where there is no secret to sign with, and the operator allows it. */
function isGenuine(
	{ vault, env }: WebhookContext,
	account: WebhookAccount,
	{ bytes, signature }: { bytes: Buffer; signature: string | undefined },
): boolean {
	const secret = account.appSecretSealed ? vault.open(account.appSecretSealed) : env.META_APP_SECRET
	return secret ? isSignedBy(secret, bytes, signature) : env.ALLOW_UNSIGNED_WEBHOOKS
}
