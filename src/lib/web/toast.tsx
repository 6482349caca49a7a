import { notifications } from '@mantine/notifications'
import { IconAlertCircle, IconCircleCheck } from '@tabler/icons-react'
import { messageOf } from './api.ts'
import { Reference } from './ui/feedback/reference.tsx'

export interface Toasts {
	success: (message: string) => void
	error: (message: string) => void
	/** Shows the server's message, or `fallback` without one. */
	failure: (reason: unknown, fallback: string) => void
}

/**
 * Milliseconds within which equal messages show one toast, for calls that fail for one reason. A later repetition is
 * shown anew.
 */
const SAME_CAUSE_MS = 1000
/** Latest toast by message. */
const latest = new Map<string, { id: string; atMs: number }>()

/** True while a form handles errors that its fields show. */
let isAtField = false

/** Calls `handle` without showing its error toasts, for errors that fields on screen show. */
export function withoutErrorToasts(handle: () => void): void {
	isAtField = true
	try {
		handle()
	} finally {
		isAtField = false
	}
}

function toasts(durationMs: number): Toasts {
	const show = (kind: 'success' | 'error', message: string, reason?: unknown) => {
		if (isAtField && kind === 'error') return
		const atMs = performance.now()
		const before = latest.get(message)
		if (before && atMs - before.atMs < SAME_CAUSE_MS) return
		if (before) notifications.hide(before.id)
		const Icon = kind === 'success' ? IconCircleCheck : IconAlertCircle
		const id = notifications.show({
			message: (
				<>
					<span>{message}</span>
					<Reference error={reason} />
				</>
			),
			role: kind === 'success' ? 'status' : 'alert',
			color: kind === 'success' ? 'green' : 'red',
			icon: <Icon size={20} aria-hidden />,
			autoClose: durationMs,
		})
		latest.set(message, { id, atMs })
	}
	return {
		success: (message) => show('success', message),
		error: (message) => show('error', message),
		failure: (reason, fallback) => show('error', messageOf(reason, fallback), reason),
	}
}

/** Removes all shown and queued toasts. */
export function dismissToasts(): void {
	notifications.clean()
	latest.clear()
}

export const toast = toasts(5000)
/** Toasts of 3 seconds, for short confirmations such as those of campaigns and contacts. */
export const briefToast = toasts(3000)
/** Toasts of 4 seconds, for live chats. */
export const chatToast = toasts(4000)
