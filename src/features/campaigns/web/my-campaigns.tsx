import { Button } from '@mantine/core'
import { IconPlus, IconSpeakerphone } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { PAGE_SIZE } from '#lib/fields.ts'
import { paged } from '#lib/web/query.ts'
import { Card } from '#lib/web/ui/card.tsx'
import { EmptyState } from '#lib/web/ui/empty-state.tsx'
import { PageHeader } from '#lib/web/ui/page-header.tsx'
import { DataTable } from '#lib/web/ui/table/data-table.tsx'
import { Pager } from '#lib/web/ui/table/pager.tsx'
import { usePage } from '#lib/web/ui/use-page.ts'
import { campaigns } from '../contract.ts'
import { campaignPaths } from '../paths.ts'
import { campaignColumns } from './campaign-columns.tsx'
import { failureWords } from './campaign-errors.ts'

const CREATE = campaignPaths.create

/** Kept up to date by the live events, which have this list fetched anew. */
export function MyCampaigns() {
	const [page, setPage] = usePage()
	const list = useQuery(paged(campaigns.list, { query: { page, limit: PAGE_SIZE } }))
	const rows = list.data?.campaigns
	return (
		<>
			<PageHeader
				title="My Campaigns"
				actions={
					rows &&
					rows.length > 0 && (
						<Button component={Link} to={CREATE} leftSection={<IconPlus size={16} aria-hidden />}>
							Create Campaign
						</Button>
					)
				}
			/>
			<Card flush>
				<DataTable
					label="Campaigns"
					query={list}
					rows={rows}
					rowKey={(campaign) => campaign._id}
					columns={campaignColumns}
					failed={failureWords(list.error, {
						refused: 'Failed to fetch campaigns',
						unreachable: 'Error fetching campaigns',
					})}
					empty={
						<EmptyState
							icon={<IconSpeakerphone size={32} stroke={1.5} aria-hidden />}
							title="No campaigns found"
							hint="Create your first campaign to get started"
							action={
								<Button component={Link} to={CREATE}>
									Create Campaign
								</Button>
							}
						/>
					}
					footer={rows && rows.length > 0 && <Pager page={page} pages={list.data?.totalPages} onTurn={setPage} />}
				/>
			</Card>
		</>
	)
}
