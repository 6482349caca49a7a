import { Button } from '@mantine/core'
import { IconMoodSad } from '@tabler/icons-react'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'

/** Instead of a screen that failed while drawing, or whose code could not be loaded (offline, or a new version went live). */
export function ScreenError() {
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
