import { IconEye } from '@tabler/icons-react'
import type { TemplateRow } from '#features/templates/contract.ts'
import type { Column } from '#lib/web/ui/table/data-table.tsx'
import { RowButton } from '#lib/web/ui/table/row-button.tsx'
import { languageName } from '../language-name.ts'
import { QualityBadge, TemplateStatusBadge } from '../status-badges.tsx'
import styles from './templates.module.css'

export function templateColumns(onView: (template: TemplateRow) => void): Column<TemplateRow>[] {
	return [
		{
			header: 'Name',
			narrow: 'title',
			cell: (template) => (
				<>
					<span className={styles.name}>{template.name}</span>
					{template.rejectedReason && (
						<span className={styles.under} title={template.rejectedReason}>
							{template.rejectedReason}
						</span>
					)}
				</>
			),
		},
		{
			header: 'Language',
			narrow: 'under',
			cell: ({ language }) => <span title={language}>{languageName(language)}</span>,
		},
		{
			header: 'Status',
			narrow: 'corner',
			cell: ({ status }) => <TemplateStatusBadge status={status} />,
		},
		{ header: 'Category', narrow: 'under', cell: ({ category }) => category },
		{
			header: 'Quality',
			cell: ({ quality }) => <QualityBadge quality={quality} />,
		},
		{
			header: 'Actions',
			align: 'right',
			narrow: 'actions',
			width: '96px',
			cell: (template) => (
				<div className="row-actions">
					<RowButton
						label={`View ${template.name}`}
						icon={<IconEye size={18} aria-hidden />}
						onClick={() => onView(template)}
					/>
				</div>
			),
		},
	]
}
