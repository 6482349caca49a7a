import { Button } from '@mantine/core'
import { IconHammer } from '@tabler/icons-react'
import { Link } from 'react-router'
import { authPaths } from '#features/auth/paths.ts'
import { useCurrentUser } from '#features/auth/web/parts.tsx'
import { Card } from '#lib/web/ui/card.tsx'
import { EmptyState } from '#lib/web/ui/empty-state.tsx'
import { PageHeader } from '#lib/web/ui/page-header.tsx'
import { homeOf } from './guard.ts'

interface ComingSoonProps {
	/** As the menu names it. */
	name: string
}

/** Stands at the address of a part that this release does not have yet. */
export function ComingSoon({ name }: ComingSoonProps) {
	const user = useCurrentUser()
	return (
		<>
			<PageHeader title={name} />
			<Card>
				<EmptyState
					title="This part is being built."
					icon={<IconHammer size={32} stroke={1.5} aria-hidden />}
					action={
						<Button component={Link} to={user ? homeOf(user.role) : authPaths.login} variant="default">
							{user ? 'Back to the dashboard' : 'Back to Login'}
						</Button>
					}
				/>
			</Card>
		</>
	)
}
