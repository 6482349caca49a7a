import { IconCopyPlus, IconEye, IconTrash } from '@tabler/icons-react'
import type { TemplateRow } from '#features/templates/contract.ts'
import type { Column } from '#lib/web/ui/table/data-table.tsx'
import { RowButton } from '#lib/web/ui/table/row-button.tsx'
import { languageName } from '../language-name.ts'
import { rejectionText } from '../rejection-text.ts'
import { QualityBadge, TemplateStatusBadge } from '../status-badges.tsx'
import { DuplicateButton } from './duplicate-button.tsx'
import styles from './templates.module.css'

interface TemplateActions {
	onView: (template: TemplateRow) => void
	onDelete: (template: TemplateRow) => void
}

export function templateColumns({ onView, onDelete }: TemplateActions): Column<TemplateRow>[] {
	return [
		{ header: 'Name', narrow: 'title', cell: (template) => <Name template={template} /> },
		{
			header: 'Language',
			narrow: 'under',
			cell: ({ language }) => <span title={language}>{languageName(language)}</span>,
		},
		{
			header: 'Status',
			narrow: 'corner',
			cell: ({ status, isGone }) => <TemplateStatusBadge status={isGone ? 'GONE' : status} />,
		},
		{ header: 'Category', narrow: 'under', cell: (template) => <Category template={template} /> },
		{ header: 'Quality', cell: ({ quality }) => <QualityBadge quality={quality} /> },
		{
			header: 'Actions',
			align: 'right',
			narrow: 'actions',
			width: '168px',
			cell: (template) => (
				<div className="row-actions">
					<RowButton
						label={`View ${template.name}`}
						icon={<IconEye size={18} aria-hidden />}
						onClick={() => onView(template)}
					/>
					<DuplicateButton template={template} icon={<IconCopyPlus size={18} aria-hidden />} />
					<RowButton
						label={`Delete ${template.name}`}
						icon={<IconTrash size={18} aria-hidden />}
						danger
						disabled={template.isGone}
						onClick={() => onDelete(template)}
					/>
				</div>
			),
		},
	]
}

/** The name, and under it why it cannot be sent, if there is a reason that we know. */
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
			<span className={styles.name}>{name}</span>
			{reason && (
				<span className={styles.under} title={reason}>
					{reason}
				</span>
			)}
		</>
	)
}

function Category({ template: { category, correctCategory } }: { template: TemplateRow }) {
	const isMoving = correctCategory !== null && correctCategory !== category
	return (
		<>
			{category}
			{isMoving && <span className={styles.under}>becomes {correctCategory}</span>}
		</>
	)
}
