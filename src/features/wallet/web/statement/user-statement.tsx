import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { wallet } from '#features/wallet/contract.ts'
import { walletPaths } from '#features/wallet/paths.ts'
import { isolate } from '#lib/bidi.ts'
import { query } from '#lib/web/query.ts'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { Statement } from './statement.tsx'

/** An admin's view of a user's wallet. */
export function UserStatement() {
	const { userId = '' } = useParams()
	const { data } = useQuery(query(wallet.statement, { params: { userId }, query: {} }))
	return (
		<>
			<PageHeader
				title={data ? `Statement of ${isolate(data.user.name)}` : 'Statement'}
				back={<Link to={walletPaths.history}>Back to Transaction History</Link>}
			/>
			<Statement userId={userId} withLinks={false} />
		</>
	)
}
