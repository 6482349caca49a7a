import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { Text } from '#lib/fields.ts'
import type { Db, AccountId } from '#lib/server/db.ts'
import { AppError } from '#lib/server/errors.ts'
import type { Http } from '#lib/server/http/http.ts'
import { securityLog } from '#lib/server/http/security-log.ts'
import { isSignedBy, sameText, type Vault } from '#lib/server/secrets.ts'
import { openSecret } from '../sender.ts'
import { DeliveryWriter } from './delivery-writer.ts'
import { DroppedStatuses } from './dropped-statuses.ts'
import type { WebhookSender } from './queries.ts'
import { routeDelivery } from './routing.ts'
import { SenderDirectory } from './sender-directory.ts'

export interface WebhookContext {
	db: Db
	vault: Vault
	env: { META_APP_SECRET?: string | undefined; ALLOW_UNSIGNED_WEBHOOKS: boolean }
}

/** What the routes of one process share. */
interface Receiver extends WebhookContext {
	directory: SenderDirectory
	writer: DeliveryWriter
	dropped: DroppedStatuses
}

interface SignedBody {
	bytes: Buffer
	signature: string | undefined
	/** Called for a delivery to this account's address that is not signed for it. */
	onRefused(account: AccountId): void
}

const PATH = '/api/webhooks/whatsapp/:key'
/** Meta sends up to 3 MB at once. */
const MAX_DELIVERY_BYTES = 4 * 1024 * 1024

const Key = z.object({ key: Text(1000) })
const Handshake = z.object({
	'hub.mode': z.literal('subscribe'),
	'hub.verify_token': Text(1000),
	'hub.challenge': Text(1000),
})

/**
 * Where Meta calls: not an endpoint of the contract, as its caller and its shapes are Meta's. The body stays the bytes it
 * came as, since the signature is over exactly those.
 */
export function webhookRoutes(http: Http, context: WebhookContext): void {
	const { db, vault, env } = context
	const shared = {
		directory: new SenderDirectory(db),
		writer: new DeliveryWriter(db),
		dropped: new DroppedStatuses(db),
	}
	const receiver = { db, vault, env, ...shared }
	const onRequest = async ({ params }: FastifyRequest) => {
		if (!(await receiver.directory.findByKey(Key.parse(params).key))) throw unknownAddress()
	}
	void http.register((scope, _options, done) => {
		scope.removeAllContentTypeParsers()
		scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_DELIVERY_BYTES }, (_request, body, parsed) =>
			parsed(null, body),
		)
		scope.get(PATH, async (request, reply) => {
			const challenge = await answerHandshake(receiver, Key.parse(request.params).key, request.query)
			return reply.type('text/plain').send(challenge)
		})
		// Meta is no browser: headers for one would cost a tenth of each call.
		scope.post(PATH, { helmet: false, compress: false, onRequest }, async (request, reply) => {
			const signature = request.headers['x-hub-signature-256']
			const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
			const onRefused = (account: AccountId) => securityLog(request, { event: 'webhook.refused', account })
			await receive(receiver, Key.parse(request.params).key, { bytes, signature: signature?.toString(), onRefused })
			return reply.type('text/plain').send('OK')
		})
		done()
	})
}

async function answerHandshake({ directory }: Receiver, key: string, query: unknown): Promise<string> {
	const asked = Handshake.safeParse(query)
	const sender = await directory.findByKey(key)
	if (!asked.success || !sender || !sameText(asked.data['hub.verify_token'], sender.verifyToken)) {
		throw new AppError(403, 'This is not the verify token of this address')
	}
	return asked.data['hub.challenge']
}

/** Returns once the delivery is stored for every account that it concerns. */
async function receive(receiver: Receiver, key: string, signed: SignedBody): Promise<void> {
	const { directory, writer, dropped } = receiver
	const address = await findSigned(receiver, key, signed)
	const valid = new Map<string | undefined, boolean>()
	const isSignedFor = (sender: WebhookSender) => {
		const secret = secretOf(receiver, sender)
		if (secret === null) return false
		const isValid = valid.get(secret) ?? isGenuine(receiver, secret, signed)
		valid.set(secret, isValid)
		return isValid
	}
	const text = signed.bytes.toString('utf8')
	const { deliveries, droppedCount } = await routeDelivery({ text, address, isSignedFor }, directory)
	await Promise.all(deliveries.map((delivery) => writer.write(delivery)))
	if (droppedCount > 0) dropped.add(address.accountId, droppedCount)
}

/** The sender of this address, if the delivery is signed for it. */
async function findSigned(receiver: Receiver, key: string, signed: SignedBody): Promise<WebhookSender> {
	const { directory } = receiver
	const isFor = (sender: WebhookSender) => {
		const secret = secretOf(receiver, sender)
		return secret !== null && isGenuine(receiver, secret, signed)
	}
	const sender = await directory.findByKey(key)
	if (!sender) throw unknownAddress()
	if (isFor(sender)) return sender
	const current = await directory.recheckKey(key)
	if (current && current !== sender && isFor(current)) return current
	signed.onRefused(sender.accountId)
	throw new AppError(401, 'The signature does not fit')
}

function unknownAddress(): AppError {
	return new AppError(404, 'Nobody receives webhooks here')
}

/** The secret that a sender's deliveries are signed with: its own, else the deployment's; null when it cannot be read. */
function secretOf(
	{ vault, env }: WebhookContext,
	{ accountId, appSecretSealed }: WebhookSender,
): string | undefined | null {
	return appSecretSealed ? openSecret(vault, accountId, appSecretSealed) : env.META_APP_SECRET
}

/** Unsigned deliveries are only ever taken where there is no secret to sign with, and the operator allows it. */
function isGenuine({ env }: WebhookContext, secret: string | undefined, { bytes, signature }: SignedBody): boolean {
	return secret ? isSignedBy(secret, bytes, signature) : env.ALLOW_UNSIGNED_WEBHOOKS
}
