import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { problem } from '#features/whatsapp/problems.ts'
import { Text } from '#lib/fields.ts'
import type { Db, AccountId } from '#lib/server/db.ts'
import { addressOf, type Http } from '#lib/server/http/http.ts'
import { networkOf } from '#lib/server/http/network.ts'
import { securityLog } from '#lib/server/http/security-log.ts'
import { isSignature, isSignedBy, sameText, type Vault } from '#lib/server/secrets.ts'
import { decryptSecret } from '../service.ts'
import { DeliveryWriter } from './delivery-writer.ts'
import { DroppedStatuses } from './dropped-statuses.ts'
import type { WebhookSender } from './queries.ts'
import { routeDelivery } from './routing.ts'
import { APP_KEY, SenderDirectory } from './sender-directory.ts'
import type { StrayChanges } from './stray-changes.ts'
import { UnprovenBodies } from './unproven-bodies.ts'

export interface WebhookContext {
	db: Db
	vault: Vault
	env: {
		META_APP_SECRET?: string | undefined
		META_APP_VERIFY_TOKEN?: string | undefined
		ALLOW_UNSIGNED_WEBHOOKS: boolean
	}
	strays: StrayChanges
}

/** State shared by the webhook routes of one process. */
interface Receiver extends WebhookContext {
	directory: SenderDirectory
	writer: DeliveryWriter
	dropped: DroppedStatuses
	bodies: UnprovenBodies
	/** Decrypted secrets of the directory's senders; each lives as long as its sender is cached. */
	secrets: WeakMap<WebhookSender, string | null>
}

interface SignedBody {
	bytes: Buffer
	signature: string | undefined
	/** Called when a webhook has an invalid signature, with the account of its address; null for the address of the app. */
	onRefused(account: AccountId | null): void
}

const PATH = '/api/webhooks/whatsapp/:key'
/** Maximum bytes of a webhook; Meta sends up to 3 MB. */
const MAX_DELIVERY_BYTES = 4 * 1024 * 1024

const Key = z.object({ key: Text(1000) })
const Handshake = z.object({
	'hub.mode': z.literal('subscribe'),
	'hub.verify_token': Text(1000),
	'hub.challenge': Text(1000),
})

/**
 * Mounts the routes that Meta calls. They are not endpoints of the contract, because Meta defines their format. The
 * body is kept as bytes, over which the signature is computed.
 */
export function webhookRoutes(http: Http, context: WebhookContext): void {
	const { db, vault, env, strays } = context
	const shared = {
		directory: new SenderDirectory(db),
		writer: new DeliveryWriter(db),
		dropped: new DroppedStatuses(db),
		bodies: new UnprovenBodies(),
		secrets: new WeakMap<WebhookSender, string | null>(),
	}
	const receiver = { db, vault, env, strays, ...shared }
	const onRequest = (request: FastifyRequest, reply: FastifyReply) => admit(receiver, request, reply)
	void http.register((scope, _options, done) => {
		scope.removeAllContentTypeParsers()
		scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_DELIVERY_BYTES }, (_request, body, parsed) =>
			parsed(null, body),
		)
		scope.get(PATH, async (request, reply) => {
			const challenge = await answerHandshake(receiver, Key.parse(request.params).key, request.query)
			return reply.type('text/plain').send(challenge)
		})
		// Security headers are for browsers, and would cost a tenth of each call. A signature covers the bytes as they were sent.
		scope.post(PATH, { helmet: false, compress: false, decompress: false, onRequest }, async (request, reply) => {
			const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
			const onRefused = (account: AccountId | null) => logRefusal(request, account)
			await receive(receiver, Key.parse(request.params).key, { bytes, signature: signatureOf(request), onRefused })
			shared.bodies.prove(networkOf(addressOf(request)))
			return reply.type('text/plain').send('OK')
		})
		done()
	})
}

/**
 * Checks the address and the form of the signature before the body is read, and waits for a permit when the caller's network
 * has proved nothing yet. Throws a 404, a 401 or a 503.
 */
async function admit(receiver: Receiver, request: FastifyRequest, reply: FastifyReply): Promise<void> {
	const { env, directory, bodies } = receiver
	const { key } = Key.parse(request.params)
	const sender = key === APP_KEY ? null : await directory.findByKey(key)
	if (key === APP_KEY ? !env.META_APP_SECRET : !sender) throw problem('webhook_address_unknown')
	// Only these accounts may have no secret at all, which `isGenuine` decides after the body.
	const maybeUnsigned = sender !== null && env.ALLOW_UNSIGNED_WEBHOOKS && !env.META_APP_SECRET
	if (!maybeUnsigned && !isSignature(signatureOf(request))) {
		logRefusal(request, sender?.accountId ?? null)
		throw problem('webhook_signature_wrong')
	}
	await bodies.begin(networkOf(addressOf(request)), request.raw, reply.raw)
}

function signatureOf({ headers }: FastifyRequest): string | undefined {
	return headers['x-hub-signature-256']?.toString()
}

function logRefusal(request: FastifyRequest, account: AccountId | null): void {
	securityLog(request, { event: 'webhook.refused', account: account ?? undefined })
}

async function answerHandshake({ directory, env }: Receiver, key: string, query: unknown): Promise<string> {
	if (key === APP_KEY && !env.META_APP_VERIFY_TOKEN) throw problem('webhook_address_unknown')
	const asked = Handshake.safeParse(query)
	const verifyToken = key === APP_KEY ? env.META_APP_VERIFY_TOKEN : (await directory.findByKey(key))?.verifyToken
	if (!asked.success || !verifyToken || !sameText(asked.data['hub.verify_token'], verifyToken)) {
		throw problem('verify_token_wrong')
	}
	return asked.data['hub.challenge']
}

/** Stores a webhook for every account that it concerns. Throws a 401 for an invalid signature. */
async function receive(receiver: Receiver, key: string, signed: SignedBody): Promise<void> {
	const { directory, writer, dropped } = receiver
	const address = key === APP_KEY ? null : await findSigned(receiver, key, signed)
	if (!address) requireSignedByApp(receiver, signed)
	const valid = new Map<string | undefined, boolean>()
	const isSignedFor = (sender: WebhookSender) => {
		const secret = secretOf(receiver, sender)
		if (secret === null) return false
		const isValid = valid.get(secret) ?? isGenuine(receiver, secret, signed)
		valid.set(secret, isValid)
		return isValid
	}
	const text = signed.bytes.toString('utf8')
	const { deliveries, droppedCount, strays } = await routeDelivery({ text, address, isSignedFor }, directory)
	await Promise.all(deliveries.map((delivery) => writer.write(delivery)))
	if (address && droppedCount > 0) dropped.add(address.accountId, droppedCount)
	receiver.strays.add(strays.count, strays.names)
}

/** Throws a 404 while the operator's app has no secret, and a 401 for a body that this secret has not signed. */
function requireSignedByApp({ env }: Receiver, { bytes, signature, onRefused }: SignedBody): void {
	if (!env.META_APP_SECRET) throw problem('webhook_address_unknown')
	if (isSignedBy(env.META_APP_SECRET, bytes, signature)) return
	onRefused(null)
	throw problem('webhook_signature_wrong')
}

/** Returns the sender of the address when the signature is valid for it; throws otherwise. */
async function findSigned(receiver: Receiver, key: string, signed: SignedBody): Promise<WebhookSender> {
	const { directory } = receiver
	const isFor = (sender: WebhookSender) => {
		const secret = secretOf(receiver, sender)
		return secret !== null && isGenuine(receiver, secret, signed)
	}
	const sender = await directory.findByKey(key)
	if (!sender) throw problem('webhook_address_unknown')
	if (isFor(sender)) return sender
	const current = await directory.recheckKey(key)
	if (current && current !== sender && isFor(current)) return current
	signed.onRefused(sender.accountId)
	throw problem('webhook_signature_wrong')
}

/**
 * Returns the secret that signs a sender's webhooks: its own, else the deployment's. Null when the stored secret cannot
 * be decrypted.
 */
function secretOf({ vault, env, secrets }: Receiver, sender: WebhookSender): string | undefined | null {
	const { accountId, encryptedAppSecret } = sender
	if (!encryptedAppSecret) return env.META_APP_SECRET
	const known = secrets.get(sender)
	if (known !== undefined) return known
	const secret = decryptSecret(vault, accountId, encryptedAppSecret)
	secrets.set(sender, secret)
	return secret
}

/** Verifies the signature. Without any secret, unsigned webhooks are accepted only when the operator allows it. */
function isGenuine({ env }: WebhookContext, secret: string | undefined, { bytes, signature }: SignedBody): boolean {
	return secret ? isSignedBy(secret, bytes, signature) : env.ALLOW_UNSIGNED_WEBHOOKS
}
