import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { campaigns } from '#features/campaigns/contract.ts'
import { Id } from '#lib/fields.ts'
import { messageOf } from '#lib/web/api.ts'
import { query } from '#lib/web/query.ts'
import { LoadError } from '#lib/web/ui/load-error.tsx'
import { PageHeader } from '#lib/web/ui/page-header.tsx'
import { useDelayed } from '#lib/web/ui/use-delayed.ts'
import { fieldsFrom } from './campaign-body.ts'
import { CampaignForm } from './campaign-form.tsx'
import { EMPTY_FIELDS } from './fields/campaign-fields.ts'

/** An empty form; with a template chosen (`?template=5`), or filled in as for an earlier campaign (`?from=7`). */
export function CreateCampaign() {
	const [search] = useSearchParams()
	const from = Id.safeParse(search.get('from')).data
	return (
		<>
			<PageHeader title="Create Campaign" hint="One approved template, to many contacts at once." />
			{from ? (
				<Duplicate key={from} id={from} />
			) : (
				<CampaignForm initial={{ ...EMPTY_FIELDS, templateId: search.get('template') ?? '' }} source={undefined} />
			)}
		</>
	)
}

function Duplicate({ id }: { id: string }) {
	// The form holds what is typed: a later reading of the campaign does not change it.
	const { data, error, isFetching, refetch } = useQuery({
		...query(campaigns.get, { params: { id } }),
		staleTime: Number.POSITIVE_INFINITY,
	})
	const isLate = useDelayed(!data && !error)
	if (error && !data)
		return (
			<LoadError
				message={messageOf(error, 'Failed to fetch campaign details')}
				onRetry={() => refetch()}
				busy={isFetching}
			/>
		)
	if (!data) return isLate ? <Skeleton height={320} radius="lg" aria-label="Loading the campaign" /> : null
	return <CampaignForm initial={fieldsFrom(data.campaign)} source={data.campaign} />
}
