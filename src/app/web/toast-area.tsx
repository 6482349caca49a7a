import '@mantine/notifications/styles.css'
import { Notifications, useNotifications } from '@mantine/notifications'
import { useEffect } from 'react'
import { keepToastPlace } from './toast-place.ts'
import './toast-area.css'

/** Renders the toasts. A separate chunk: toasts wait until it has loaded. */
export function ToastArea() {
	const isShown = useNotifications().notifications.length > 0
	useEffect(() => (isShown ? keepToastPlace() : undefined), [isShown])
	return <Notifications position="top-right" limit={5} autoClose={5000} pauseResetOnHover="all" />
}
