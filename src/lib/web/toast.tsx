import { notifications } from '@mantine/notifications'
import { IconAlertCircle, IconCircleCheck } from '@tabler/icons-react'
import { messageOf } from './api.ts'

export interface Toasts {
	success: (message: string) => void
	error: (message: string) => void
	/** Shows the server's words when it gave any, else `fallback`. */
	failure: (reason: unknown, fallback: string) => void
}

function toasts(durationMs: number): Toasts {
	const show = (kind: 'success' | 'error', message: string) => {
		const Icon = kind === 'success' ? IconCircleCheck : IconAlertCircle
		notifications.show({
			// Several calls that fail for one reason show one toast.
			id: `${kind}:${message}`,
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
