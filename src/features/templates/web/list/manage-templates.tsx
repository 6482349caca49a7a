import { Button } from '@mantine/core'
import { IconPlus, IconTemplate } from '@tabler/icons-react'
import type { TemplateRow } from '#features/templates/contract.ts'
import { templatePaths } from '#features/templates/paths.ts'
import { useLocation, useNavigate } from '#lib/web/router/hooks.ts'
import { Link } from '#lib/web/router/link.tsx'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { LoadError } from '#lib/web/ui/feedback/load-error.tsx'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { useDialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { ListCard } from '#lib/web/ui/table/list-card.tsx'
import { templateError } from '../template-errors.ts'
import { DeleteTemplate } from './delete-template.tsx'
import { SyncTemplates } from './sync-templates.tsx'
import { templateColumns } from './template-columns.tsx'
import { TemplateFilters, useTemplateList } from './template-filters.tsx'
import { TemplateView } from './template-view.tsx'

export function ManageTemplates() {
	const state = useTemplateList()
	const { shown, list, isFiltered, tableSort } = state
	const viewed = useDialogFor<TemplateRow>()
	const deleted = useDialogFor<TemplateRow>()
	const rows = list.data?.templates
	const created = useCreatedId()

	if (list.error && !rows)
		return (
			<>
				<PageHeader title="Manage Templates" />
				<LoadError
					message={templateError(list.error, 'Failed to fetch templates')}
					reading={{ refetch: () => location.reload(), isFetching: list.isFetching }}
				/>
			</>
		)
	return (
		<>
			<PageHeader
				title="Manage Templates"
				actions={
					<>
						<SyncTemplates lastSyncedAt={list.data?.lastSyncedAt} />
						<Button component={Link} to={templatePaths.create} leftSection={<IconPlus size={16} aria-hidden />}>
							Create Template
						</Button>
					</>
				}
			/>
			<ListCard
				shown={shown}
				searchFor="Search by template name"
				filters={<TemplateFilters {...state} />}
				label="Templates"
				query={list}
				rows={rows}
				pages={list.data?.pages}
				hideSingle
				rowKey={(template) => template._id}
				columns={templateColumns({ onView: viewed.open, onDelete: deleted.open })}
				highlight={created}
				sort={tableSort()}
				failed="Failed to fetch templates"
				empty={<NoTemplates isFiltered={isFiltered} />}
			/>
			<TemplateView
				opened={viewed.opened}
				listed={viewed.subject}
				lastSyncedAt={list.data?.lastSyncedAt ?? null}
				onClose={viewed.close}
			/>
			<DeleteTemplate dialog={deleted} />
		</>
	)
}

/** Returns the id of the template just created when the form has led here; null otherwise. */
function useCreatedId(): string | null {
	const state: unknown = useLocation().state
	return state && typeof state === 'object' && 'created' in state ? String(state.created) : null
}

function NoTemplates({ isFiltered }: { isFiltered: boolean }) {
	const navigate = useNavigate()
	return isFiltered ? (
		<EmptyState
			title="No templates match"
			hint="Try another name, or fewer filters."
			action={
				<Button variant="default" onClick={() => navigate({ search: '' })}>
					Clear the filters
				</Button>
			}
		/>
	) : (
		<EmptyState
			icon={<IconTemplate size={32} stroke={1.5} aria-hidden />}
			title="No templates found"
			hint="Sync the templates of your WhatsApp account, or start from a ready text."
			action={
				<Button component={Link} to={templatePaths.gallery} variant="default">
					See the ready texts
				</Button>
			}
		/>
	)
}
