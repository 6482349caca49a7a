import { IconCloudOff } from '@tabler/icons-react'
import { useConnection } from '#lib/web/connection.ts'
import styles from './layout.module.css'

const TEXTS = {
	offline: 'You are offline. What you see may be out of date.',
	unreachable: 'The server cannot be reached. Trying again…',
}

/** Shown under the header while the server or the network is unreachable. */
export function ConnectionBanner() {
	const connection = useConnection()
	return (
		<div className={styles.connection} role="status">
			{connection !== 'online' && (
				<p className={styles.banner}>
					<IconCloudOff size={18} aria-hidden /> {TEXTS[connection]}
				</p>
			)}
		</div>
	)
}
