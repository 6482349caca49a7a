import { notifications } from '@mantine/notifications'
import { IconAlertCircle, IconCircleCheck } from '@tabler/icons-react'
import { messageOf } from './api.ts'

export interface Toasts {
	success: (message: string) => void
	error: (message: string) => void
	/** Shows the server's words when it gave any, else `fallback`. */
	failure: (reason: unknown, fallback: string) => void
}

/** Toasts with the same words within this time are one. */
const SAME_CAUSE_MS = 1000
/** The latest toast of each message. */
const shown = new Map<string, { id: string; atMs: number }>()

function toasts(durationMs: number): Toasts {
	const show = (kind: 'success' | 'error', message: string) => {
		const Icon = kind === 'success' ? IconCircleCheck : IconAlertCircle
		const atMs = performance.now()
		const before = shown.get(message)
		// Several calls that fail for one reason show one toast. Later it is news again, to be seen and read out in full.
		if (before && atMs - before.atMs < SAME_CAUSE_MS) return
		if (before) notifications.hide(before.id)
		const id = `${kind}:${message}:${atMs}`
		shown.set(message, { id, atMs })
		notifications.show({
			id,
			message,
			role: kind === 'success' ? 'status' : 'alert',
			color: kind === 'success' ? 'green' : 'red',
			icon: <Icon size={20} aria-hidden />,
			autoClose: durationMs,
		})
	}
	return {
		success: (message) => show('success', message),
		error: (message) => show('error', message),
		failure: (reason, fallback) => show('error', messageOf(reason, fallback)),
	}
}

export const toast = toasts(5000)
/** For the screens of campaigns and contacts. */
export const briefToast = toasts(3000)
/** For live chats. */
export const chatToast = toasts(4000)
