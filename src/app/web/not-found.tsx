import { Button } from '@mantine/core'
import { IconMapOff } from '@tabler/icons-react'
import { Link } from 'react-router'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { PlainPage } from './plain-page.tsx'

/** For every address that leads nowhere. */
export function NotFound() {
	return (
		<PlainPage>
			<PageHeader title="Page not found" />
			<EmptyState
				title="There is no page at this address."
				hint="Check the address for typing mistakes, or go to the start page."
				icon={<IconMapOff size={32} stroke={1.5} aria-hidden />}
				action={
					<Button component={Link} to="/">
						Go to the start page
					</Button>
				}
			/>
		</PlainPage>
	)
}
