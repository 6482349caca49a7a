import { useQuery } from '@tanstack/react-query'
import { statements } from '#features/statements/contract.ts'
import { walletPaths } from '#features/wallet/paths.ts'
import { isolate } from '#lib/text/bidi.ts'
import { isMissing } from '#lib/web/api.ts'
import { query } from '#lib/web/query.ts'
import { useParams } from '#lib/web/router/hooks.ts'
import { Missing } from '#lib/web/ui/feedback/missing.tsx'
import { BackLink } from '#lib/web/ui/layout/back-link.tsx'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { MonthlyStatement } from './monthly-statement.tsx'
import { Statement } from './statement.tsx'

/** Renders a user's wallet statement for an admin. */
export function UserStatement() {
	const { userId = '' } = useParams()
	const { data, error } = useQuery(query(statements.groups, { params: { userId }, query: {} }))
	const isUnknown = !data && isMissing(error)
	return (
		<>
			<PageHeader
				title={data ? `Statement of ${isolate(data.user.name)}` : 'Statement'}
				actions={!isUnknown && <MonthlyStatement userId={userId} since={data?.user.createdAt} />}
				back={<BackLink to={walletPaths.history} name="Transaction History" />}
			/>
			{isUnknown ? (
				<Missing title="User not found" to={walletPaths.history} name="Transaction History" />
			) : (
				// Waits for the user's row: otherwise each part would show its own "not found".
				(data || error) && <Statement userId={userId} withLinks={false} />
			)}
		</>
	)
}
