import { Button } from '@mantine/core'
import { IconCloudOff, IconRefresh } from '@tabler/icons-react'
import styles from './state.module.css'

interface LoadErrorProps {
	/** What failed, in the words that the toast uses too. */
	message: string
	onRetry: () => void
	busy?: boolean
}

export function LoadError({ message, onRetry, busy = false }: LoadErrorProps) {
	return (
		<div className={styles.state}>
			<span className={styles.icon} data-tone="error">
				<IconCloudOff size={32} stroke={1.5} aria-hidden />
			</span>
			<p className={styles.title}>{message}</p>
			<Button
				variant="default"
				leftSection={<IconRefresh size={16} aria-hidden />}
				onClick={onRetry}
				disabled={busy}
				aria-busy={busy}
			>
				Retry
			</Button>
		</div>
	)
}
