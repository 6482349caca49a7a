import { Box } from '@mantine/core'
import { IconCopyPlus, IconEye, IconTrash } from '@tabler/icons-react'
import type { TemplateRow } from '#features/templates/contract.ts'
import { duplicateTemplatePath } from '#features/templates/paths.ts'
import { rejectionText } from '#features/templates/rejection-text.ts'
import type { Column } from '#lib/web/ui/table/data-table.tsx'
import { actionsColumn, type RowAction } from '#lib/web/ui/table/row/row-actions.tsx'
import { TwoLines } from '#lib/web/ui/table/row/two-lines.tsx'
import { categoryName } from '../category-name.ts'
import { languageName } from '../language-name.ts'
import { QualityBadge, TemplateStatusBadge } from '../parts.tsx'

interface TemplateActions {
	onView: (template: TemplateRow) => void
	onDelete: (template: TemplateRow) => void
}

export function templateColumns({ onView, onDelete }: TemplateActions): Column<TemplateRow>[] {
	return [
		{
			header: 'Name',
			sort: { key: 'name', kind: 'text' },
			narrow: 'title',
			cell: (template) => <Name template={template} />,
		},
		{
			header: 'Language',
			sort: { key: 'language', kind: 'text' },
			narrow: 'under',
			cell: ({ language }) => <span title={language}>{languageName(language)}</span>,
		},
		{
			header: 'Status',
			minWidth: 120,
			sort: { key: 'status', kind: 'text' },
			narrow: 'corner',
			cell: ({ status, isGone }) => <TemplateStatusBadge status={isGone ? 'GONE' : status} />,
		},
		{
			header: 'Category',
			minWidth: 150,
			sort: { key: 'category', kind: 'text' },
			narrow: 'under',
			cell: (template) => <Category template={template} />,
		},
		{ header: 'Quality', minWidth: 100, cell: ({ quality }) => <QualityBadge quality={quality} /> },
		actionsColumn({
			header: 'Actions',
			nameOf: ({ name }) => name,
			actionsOf: (template) => actionsFor(template, { onView, onDelete }),
		}),
	]
}

function actionsFor(template: TemplateRow, { onView, onDelete }: TemplateActions): RowAction[] {
	const { _id, name, isGone } = template
	return [
		{ word: 'View', label: `View ${name}`, Icon: IconEye, onClick: () => onView(template) },
		{ word: 'Duplicate', label: `Duplicate ${name}`, Icon: IconCopyPlus, to: duplicateTemplatePath(_id) },
		{
			word: 'Delete',
			label: `Delete ${name}`,
			Icon: IconTrash,
			danger: true,
			disabled: isGone,
			onClick: () => onDelete(template),
		},
	]
}

const UNDER = { className: 'quiet', display: 'block', maw: 420, fw: 400 }

/** Renders the name, with the reason below it when the template cannot be sent. */
function Name({ template: { name, rejectedReason, isGone, needsHeaderFile } }: { template: TemplateRow }) {
	const reason = isGone
		? 'No longer at WhatsApp: it cannot be sent'
		: rejectedReason !== null
			? rejectionText(rejectedReason)
			: needsHeaderFile
				? 'Its header file is missing: open it and upload one'
				: null
	return (
		<>
			<b>
				<TwoLines text={name} />
			</b>
			{reason && (
				<Box component="span" {...UNDER}>
					<TwoLines text={reason} />
				</Box>
			)}
		</>
	)
}

function Category({ template: { category, correctCategory } }: { template: TemplateRow }) {
	const isMoving = correctCategory !== null && correctCategory !== category
	return (
		<>
			{category}
			{isMoving && (
				<Box component="span" {...UNDER}>
					may change to {categoryName(correctCategory)}
				</Box>
			)}
		</>
	)
}
