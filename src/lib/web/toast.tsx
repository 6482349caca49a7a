import { notifications } from '@mantine/notifications'
import { IconAlertCircle, IconCircleCheck } from '@tabler/icons-react'
import { messageOf } from './api.ts'

interface ToastOptions {
	/** Milliseconds; the shared default is 5 seconds. */
	duration?: number
}

function success(message: string, { duration = 5000 }: ToastOptions = {}): void {
	notifications.show({
		id: `success:${message}`,
		message,
		role: 'status',
		color: 'green',
		icon: <IconCircleCheck size={20} aria-hidden />,
		autoClose: duration,
	})
}

function error(message: string, { duration = 5000 }: ToastOptions = {}): void {
	// Several calls that fail for one reason say so once.
	notifications.show({
		id: `error:${message}`,
		message,
		role: 'alert',
		color: 'red',
		icon: <IconAlertCircle size={20} aria-hidden />,
		autoClose: duration,
	})
}

/** Shows the server's words when it said any, else `fallback`. */
function failure(reason: unknown, fallback: string, options?: ToastOptions): void {
	error(messageOf(reason, fallback), options)
}

export const toast = { success, error, failure }
