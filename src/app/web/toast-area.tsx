import '@mantine/notifications/styles.css'
import { Notifications } from '@mantine/notifications'
import './toast-area.css'

/** Renders the toasts. A separate chunk: toasts wait until it has loaded. */
export function ToastArea() {
	return <Notifications position="top-right" limit={5} autoClose={5000} pauseResetOnHover="all" />
}
