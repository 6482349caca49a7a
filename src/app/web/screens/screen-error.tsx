import { Button } from '@mantine/core'
import { IconCloudOff, IconMoodSad } from '@tabler/icons-react'
import { useEffect } from 'react'
import { checkConnection, onReconnect, useConnection } from '#lib/web/connection.ts'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'

/**
 * Renders an error in place of a screen that failed to render, or whose code could not load (offline, or a new
 * release).
 */
export function ScreenError() {
	const connection = useConnection()
	// Reloads as soon as the server answers.
	useEffect(() => onReconnect(() => location.reload()), [])
	useEffect(() => void checkConnection(), [])
	if (connection !== 'online')
		return (
			<>
				<PageHeader title="This page cannot be opened now" />
				<EmptyState
					title={connection === 'offline' ? 'You are offline.' : 'The server cannot be reached.'}
					hint="The page opens by itself as soon as the connection is back."
					icon={<IconCloudOff size={32} stroke={1.5} aria-hidden />}
				/>
			</>
		)
	return (
		<>
			<PageHeader title="Something went wrong" />
			<EmptyState
				title="This page could not be shown."
				hint="Reloading usually helps. Everything you saved is safe."
				icon={<IconMoodSad size={32} stroke={1.5} aria-hidden />}
				action={<Button onClick={() => location.reload()}>Reload the page</Button>}
			/>
		</>
	)
}
