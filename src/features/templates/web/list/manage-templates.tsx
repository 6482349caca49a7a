import { Button } from '@mantine/core'
import { IconTemplate } from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { TemplateRow } from '#features/templates/contract.ts'
import { templatePaths } from '#features/templates/paths.ts'
import { Card } from '#lib/web/ui/card.tsx'
import { EmptyState } from '#lib/web/ui/empty-state.tsx'
import { LoadError } from '#lib/web/ui/load-error.tsx'
import { PageHeader } from '#lib/web/ui/page-header.tsx'
import { DataTable } from '#lib/web/ui/table/data-table.tsx'
import { FilterChips } from '#lib/web/ui/table/filter-chips.tsx'
import { Pager } from '#lib/web/ui/table/pager.tsx'
import { SearchBox } from '#lib/web/ui/table/search-box.tsx'
import { usePage } from '#lib/web/ui/use-page.ts'
import { useSearchText } from '#lib/web/ui/use-search-text.ts'
import { templateError } from '../template-errors.ts'
import { SyncTemplates } from './sync-templates.tsx'
import { templateColumns } from './template-columns.tsx'
import { TemplateView } from './template-view.tsx'
import { STATUSES, useTemplateList } from './use-template-list.ts'

export function ManageTemplates() {
	const [page, setPage] = usePage()
	const [search, setSearch] = useSearchText()
	const [status, setStatus] = useSearchText('status')
	const { list, rows, pages } = useTemplateList({ page, search, status })
	const [viewed, setViewed] = useState<TemplateRow | null>(null)

	if (list.error && !rows)
		return (
			<>
				<PageHeader title="Manage Templates" />
				<LoadError
					message={templateError(list.error, 'Failed to fetch templates')}
					onRetry={() => location.reload()}
					busy={list.isFetching}
				/>
			</>
		)
	return (
		<>
			<PageHeader title="Manage Templates" actions={<SyncTemplates lastSyncedAt={list.data?.lastSyncedAt} />} />
			<Card flush>
				<div className="toolbar">
					<SearchBox value={search} onSearch={setSearch} placeholder="Search by template name" />
					<FilterChips label="Status" value={status} options={STATUSES} onChange={setStatus} />
				</div>
				<DataTable
					label="Templates"
					query={list}
					rows={rows}
					rowKey={(template) => template._id}
					columns={templateColumns(setViewed)}
					failed="Failed to fetch templates"
					empty={<NoTemplates isFiltered={search !== '' || status !== ''} />}
					footer={<Pager page={page} pages={pages} onTurn={setPage} hideSingle />}
				/>
			</Card>
			<TemplateView template={viewed} onClose={() => setViewed(null)} />
		</>
	)
}

function NoTemplates({ isFiltered }: { isFiltered: boolean }) {
	const navigate = useNavigate()
	return isFiltered ? (
		<EmptyState
			title="No templates match"
			hint="Try another name or status."
			action={
				<Button variant="default" onClick={() => navigate({ search: '' })}>
					Clear the search
				</Button>
			}
		/>
	) : (
		<EmptyState
			icon={<IconTemplate size={32} stroke={1.5} aria-hidden />}
			title="No templates found"
			hint="Sync the templates of your WhatsApp account, or create your first one here."
			action={<Button onClick={() => navigate(templatePaths.create)}>Create Template</Button>}
		/>
	)
}
