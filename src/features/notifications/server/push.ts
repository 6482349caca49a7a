import { createECDH, hkdfSync } from 'node:crypto'
import { findSessions } from '#features/auth/server/session-queries.ts'
import type { Db, AccountId, Sql } from '#lib/server/db.ts'
import { NotPublic, postPublic, targetRules } from '#lib/server/http/public-request.ts'
import { addJobs, handlerOf, jobKind } from '#lib/server/jobs/jobs.ts'
import * as devices from './device-queries.ts'
import { findNotification } from './queries.ts'

export interface PushContext {
	db: Db
	env: {
		SECRET_KEY: Buffer
		PUBLIC_URL: string
		MAIL_FROM: string
		SESSION_IDLE_HOURS: number
		ALLOW_PRIVATE_TARGETS: boolean
	}
}

/** What a device shows; `public/sw.js` reads it. One of the same tag replaces the one before. */
export interface PushText {
	title: string
	body: string
	link: string
	tag: string
}

/** Seconds after which the push service forgets what it could not hand over. */
const TTL_SECONDS = 12 * 3600
const TIMEOUT_MS = 10_000

/** Limits of a push: later it would tell nothing new. */
export const PUSH_LIMITS = { maxAttempts: 8, maxDelaySeconds: 60, total: 20, each: 5 }

/** The words are looked up when they are sent. */
const notificationJob = jobKind<{ accountId: AccountId; device: number; id: number }>('push-notification', PUSH_LIMITS)

/** Tells the account's devices of a notification when the caller's transaction commits. */
export async function queuePushes(sql: Sql, accountId: AccountId, id: number): Promise<void> {
	const ids = await devices.listDeviceIds(sql, accountId)
	await addJobs(
		sql,
		notificationJob,
		ids.map((device) => ({ accountId, device, id })),
	)
}

export const pushHandlers = (context: PushContext) => [
	handlerOf(notificationJob, ({ data: { accountId, device, id } }) =>
		sendPush(context, accountId, {
			device,
			async textFor() {
				const found = await findNotification(context.db, accountId, id)
				return (
					found && {
						title: 'WhatsApp Bulk Message',
						body: found.text,
						link: found.link ?? '/',
						tag: `notification-${id}`,
					}
				)
			},
		}),
	),
]

/**
 * Shows a text on one device, unless it has been switched off or signed out. Encrypted for it alone (RFC 8291), so that the
 * push service learns no more than that there is something. Rejects where trying again may help.
 */
export async function sendPush(
	{ db, env }: PushContext,
	accountId: AccountId,
	push: { device: number; textFor(device: devices.Device): Promise<PushText | undefined> },
): Promise<void> {
	const device = await devices.findDevice(db, accountId, { id: push.device })
	if (!device) return
	const { tokenHash, endpoint, p256dh, auth } = device
	const [session] = await findSessions(db, { tokenHashes: [tokenHash], idleHours: env.SESSION_IDLE_HOURS })
	if (!session?.isUsable) return devices.deleteDevice(db, accountId, device.id)
	const text = await push.textFor(device)
	if (!text) return
	// Loaded with the first push: most processes send none.
	const { default: webPush } = await import('web-push')
	const { headers, body } = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, JSON.stringify(text), {
		TTL: TTL_SECONDS,
		urgency: 'high',
		vapidDetails: { subject: subjectOf(env), ...pushKeys(env) },
	})
	try {
		const status = await postPublic({
			url: endpoint,
			headers,
			body: body ?? Buffer.alloc(0),
			timeoutMs: TIMEOUT_MS,
			...targetRules(env),
		})
		if (status === 429 || status >= 500) throw new Error(`The push service answered with status ${status}`)
		// Its subscription has ended, or was made for another key.
		if (status >= 300) await devices.deleteDevice(db, accountId, device.id)
	} catch (error) {
		if (!(error instanceof NotPublic)) throw error
		await devices.deleteDevice(db, accountId, device.id)
	}
}

/** Whom a push service may turn to. */
function subjectOf({ PUBLIC_URL, MAIL_FROM }: PushContext['env']): string {
	return PUBLIC_URL.startsWith('https:') ? PUBLIC_URL : `mailto:${/<([^<>]+)>/.exec(MAIL_FROM)?.[1] ?? MAIL_FROM}`
}

/** The installation's pair of keys (VAPID, RFC 8292) in base64url: made from its secret, so that it is kept nowhere else. */
export function pushKeys({ SECRET_KEY }: { SECRET_KEY: Buffer }): { publicKey: string; privateKey: string } {
	const ecdh = createECDH('prime256v1')
	ecdh.setPrivateKey(Buffer.from(hkdfSync('sha256', SECRET_KEY, '', 'web push', 32)))
	return { publicKey: ecdh.getPublicKey('base64url'), privateKey: ecdh.getPrivateKey('base64url') }
}
