import { call } from '#lib/web/api.ts'
import { invalidate } from '#lib/web/query.ts'
import { notifications } from '../contract.ts'

/**
 * Support for notifications: `blocked` in the browser's settings; `install` on an iPhone, which shows them only for apps on its
 * home screen.
 */
export type PushSupport = 'ready' | 'blocked' | 'install' | 'missing'

export function pushSupport(): PushSupport {
	if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window))
		return /iPhone|iPad/.test(navigator.userAgent) ? 'install' : 'missing'
	return Notification.permission === 'denied' ? 'blocked' : 'ready'
}

/** Error when the user refuses or ignores the browser's request for permission. */
export class NotAllowed extends Error {}

/**
 * Enables notifications on this device, or changes whether they name people. Returns the success message. Throws
 * NotAllowed without the user's permission.
 */
export async function switchOnPushes({ withTexts }: { withTexts: boolean }): Promise<string> {
	// The request for permission comes first, because browsers allow it only during a click.
	if ((await Notification.requestPermission()) !== 'granted') throw new NotAllowed()
	await navigator.serviceWorker.register('/sw.js')
	const [{ pushManager }, { publicKey }] = await Promise.all([
		navigator.serviceWorker.ready,
		call(notifications.device),
	])
	const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
	const { endpoint = '', keys } = subscription.toJSON()
	const { p256dh = '', auth = '' } = keys ?? {}
	const { message } = await call(notifications.saveDevice, { body: { endpoint, p256dh, auth, withTexts } })
	await invalidate(notifications.device)
	return message
}

export async function switchOffPushes(): Promise<string> {
	const { message } = await call(notifications.removeDevice)
	const registration = await navigator.serviceWorker.getRegistration()
	await (await registration?.pushManager.getSubscription())?.unsubscribe()
	await invalidate(notifications.device)
	return message
}
