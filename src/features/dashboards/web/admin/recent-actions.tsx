import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { auth } from '#features/auth/contract.ts'
import { authPaths } from '#features/auth/paths.ts'
import { ADMIN_ACTION_TEXTS } from '#features/auth/rules.ts'
import { query } from '#lib/web/query.ts'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { LoadError } from '#lib/web/ui/feedback/load-error.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'

const NEWEST = 5

/** The last lines of the audit trail, and the way to all of it. */
export function RecentActions() {
	const { data, error, isFetching, refetch } = useQuery(query(auth.adminActions, { query: { limit: NEWEST } }))
	return (
		<Card title="Audit Trail" flush actions={<Link to={authPaths.auditTrail}>View all</Link>}>
			{error && !data && <LoadError message="Failed to fetch the audit trail" reading={{ refetch, isFetching }} />}
			{!data && !error && <Skeleton height={132} radius={0} />}
			{data?.total === 0 && <EmptyState title="Nothing has been changed yet" hint="Changes to accounts appear here." />}
			<ul className="bare">
				{data?.actions.map(({ _id, action, actor, subject, createdAt }) => (
					<li key={_id} className="entry whole">
						<p>
							{ADMIN_ACTION_TEXTS[action]}{' '}
							{subject && subject.email !== actor.email && (
								<b>
									<UserText text={subject.name} />
								</b>
							)}
						</p>
						<p className="quiet">
							<UserText text={actor.name} /> · <DateTime iso={createdAt} as="relative" />
						</p>
					</li>
				))}
			</ul>
		</Card>
	)
}
