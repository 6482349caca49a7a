import '@mantine/notifications/styles.css'
import { Notifications } from '@mantine/notifications'
import './toast-area.css'

/** Where toasts appear. In a chunk of its own: a toast that comes before it waits for it. */
export function ToastArea() {
	return <Notifications position="top-right" limit={5} autoClose={5000} pauseResetOnHover="all" />
}
