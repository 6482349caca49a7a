import { createECDH, hkdfSync } from 'node:crypto'
import { isSessionUsable } from '#features/auth/server/service.ts'
import type { Db, AccountId, Sql } from '#lib/server/db.ts'
import { NotPublic, postPublic, targetRules } from '#lib/server/http/public-request.ts'
import { addJobs, handlerOf, jobKind, type JobKind } from '#lib/server/jobs/jobs.ts'
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

/** Content of a push, read by `public/sw.js`. A push replaces an earlier one with the same `tag`. */
export interface PushText {
	title: string
	body: string
	link: string
	tag: string
}

/** Seconds for which the push service retains an undelivered push. */
const TTL_SECONDS = 12 * 3600
const TIMEOUT_MS = 10_000

/** Retry limits of a push. A later delivery would tell the user nothing new. */
export const PUSH_LIMITS = { maxAttempts: 8, maxDelaySeconds: 60, total: 20, each: 5 }

/** Job of one push. It reads the text when it runs. */
const notificationJob = jobKind<{ accountId: AccountId; device: number; id: number }>('push-notification', PUSH_LIMITS)

/** Queues a push of the notification to each of the account's devices, in the caller's transaction. */
export async function queuePushes(sql: Sql, accountId: AccountId, id: number): Promise<void> {
	const ids = await devices.listDeviceIds(sql, accountId)
	await addJobs(
		sql,
		notificationJob,
		ids.map((device) => ({ accountId, device, id })),
	)
}

/**
 * Queues a job for each of the account's devices that has none pending, in the caller's transaction. The job calls `sendPush`
 * with `isGathered`, so that one push announces all events until it runs.
 */
export async function queueGathered(
	sql: Sql,
	accountId: AccountId,
	kind: JobKind<{ accountId: AccountId; device: number }>,
): Promise<void> {
	const ids = await devices.setPending(sql, accountId)
	await addJobs(
		sql,
		kind,
		ids.map((device) => ({ accountId, device })),
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
 * Sends a push to one device; nothing when the device is gone or `textFor` returns undefined. Deletes the device when
 * its session or subscription has ended or its address is private. The text is encrypted for the device (RFC 8291), so
 * the push service cannot read it. Rejects when a repetition may help.
 */
export async function sendPush(
	{ db, env }: PushContext,
	accountId: AccountId,
	push: { device: number; isGathered?: boolean; textFor(device: devices.Device): Promise<PushText | undefined> },
): Promise<void> {
	// Clears the mark first, so that events from here on cause the next push.
	if (push.isGathered) await devices.clearPending(db, accountId, push.device)
	const device = await devices.findDevice(db, accountId, { id: push.device })
	if (!device) return
	const { tokenHash, endpoint, p256dh, auth } = device
	if (!(await isSessionUsable(db, { tokenHash, idleHours: env.SESSION_IDLE_HOURS })))
		return devices.deleteDevice(db, accountId, device.id)
	const text = await push.textFor(device)
	if (!text) return
	// Imported with the first push, because most processes send none.
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
		// The subscription has ended or was made for another key.
		if (status >= 300) await devices.deleteDevice(db, accountId, device.id)
	} catch (error) {
		if (!(error instanceof NotPublic)) throw error
		await devices.deleteDevice(db, accountId, device.id)
	}
}

/** Returns the contact of this installation for the push service: an https or mailto URL. */
function subjectOf({ PUBLIC_URL, MAIL_FROM }: PushContext['env']): string {
	return PUBLIC_URL.startsWith('https:') ? PUBLIC_URL : `mailto:${/<([^<>]+)>/.exec(MAIL_FROM)?.[1] ?? MAIL_FROM}`
}

/**
 * Returns the installation's key pair (VAPID, RFC 8292) in base64url. It is derived from SECRET_KEY and therefore not stored.
 */
export function pushKeys({ SECRET_KEY }: { SECRET_KEY: Buffer }): { publicKey: string; privateKey: string } {
	const ecdh = createECDH('prime256v1')
	ecdh.setPrivateKey(Buffer.from(hkdfSync('sha256', SECRET_KEY, '', 'web push', 32)))
	return { publicKey: ecdh.getPublicKey('base64url'), privateKey: ecdh.getPrivateKey('base64url') }
}
