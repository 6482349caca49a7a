import { notifications } from '@mantine/notifications'
import { IconAlertCircle, IconCircleCheck } from '@tabler/icons-react'
import { messageOf, type ApiError } from './api.ts'
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

function toasts(durationMs: number): Toasts {
	const show = (kind: 'success' | 'error', message: string, reason?: unknown) => {
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
export const dismissToasts = () => notifications.clean()

export const toast = toasts(5000)
/** Toasts of 3 seconds, for the screens of campaigns and contacts. */
export const briefToast = toasts(3000)
/** Returns the `failed` of a form without hidden fields: it shows a toast unless the error has messages at fields. */
export function toastUnlessAtField(fallback: string): (error: ApiError) => void {
	return (error) => {
		if (Object.keys(error.fields).length === 0) toast.failure(error, fallback)
	}
}

/** Toasts of 4 seconds, for live chats. */
export const chatToast = toasts(4000)
