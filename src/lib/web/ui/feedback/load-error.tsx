import { Anchor, Button, Stack } from '@mantine/core'
import { IconCloudOff, IconRefresh } from '@tabler/icons-react'
import { Reference } from './reference.tsx'
import styles from './state.module.css'

interface LoadErrorProps {
	/** Message of the failure, the same as in its toast. */
	message: string
	reading: Pick<RetryableQuery, 'isFetching' | 'refetch'> & { error?: unknown }
}

/** The fields of a TanStack query that are read here. */
interface RetryableQuery {
	isError: boolean
	isFetching: boolean
	data: unknown
	refetch: () => unknown
}

interface MissingPartProps {
	/** Message such as "The groups could not be loaded." */
	message: string
	readings: readonly RetryableQuery[]
}

/** Renders a message with Retry in place of a small part when a query without data has failed; otherwise nothing. */
export function MissingPart({ message, readings }: MissingPartProps) {
	const failed = readings.filter(({ isError, data }) => isError && data === undefined)
	if (failed.length === 0) return null
	return (
		<p className="faulty" role="alert">
			{message}{' '}
			<Anchor
				component="button"
				type="button"
				inherit
				underline="always"
				disabled={failed.some(({ isFetching }) => isFetching)}
				onClick={() => failed.forEach(({ refetch }) => refetch())}
			>
				Retry
			</Anchor>
		</p>
	)
}

/** Renders the error with Retry in place of content that failed to load. */
export function LoadError({ message, reading: { error, isFetching, refetch } }: LoadErrorProps) {
	return (
		<Stack className={styles.state} gap={4} align="center">
			<span className={`disc ${styles.icon}`} data-tone="error">
				<IconCloudOff size={32} stroke={1.5} aria-hidden />
			</span>
			<p className="heading">{message}</p>
			<Reference error={error} />
			<Button
				variant="default"
				leftSection={<IconRefresh size={16} aria-hidden />}
				onClick={() => refetch()}
				disabled={isFetching}
				aria-busy={isFetching}
			>
				Retry
			</Button>
		</Stack>
	)
}
