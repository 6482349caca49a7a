import { Box } from '@mantine/core'
import { IconCopyPlus, IconEye, IconTrash } from '@tabler/icons-react'
import { templateCampaignPath } from '#features/campaigns/paths.ts'
import type { TemplateRow } from '#features/templates/contract.ts'
import { duplicateTemplatePath } from '#features/templates/paths.ts'
import { fillVariables, variablesIn } from '#features/templates/placeholders.ts'
import { categoryName, rejectionText, templateTitle } from '#features/templates/template-words.ts'
import { findComponent } from '#features/templates/values.ts'
import { Link } from '#lib/web/router/link.tsx'
import type { Column } from '#lib/web/ui/table/data-table.tsx'
import { actionsColumn, type RowAction } from '#lib/web/ui/table/row/row-actions.tsx'
import { TwoLines } from '#lib/web/ui/table/row/two-lines.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { languageName } from '../language-name.ts'
import { examplesOf } from '../meta-examples.ts'
import { QualityBadge, TemplateStatusBadge } from '../parts.tsx'
import { CategoryWord, HeaderThumbnail } from './template-marks.tsx'
import styles from './templates.module.css'

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
			cell: (template) => <Category template={template} />,
		},
		{ header: 'Quality', minWidth: 100, cell: (template) => <QualityBadge of={template} /> },
		{ header: '', narrow: 'summary', cell: (template) => <Summary template={template} /> },
		actionsColumn({
			header: 'Actions',
			nameOf: ({ name }) => name,
			actionsOf: (template) => actionsFor(template, { onView, onDelete }),
		}),
	]
}

function actionsFor(template: TemplateRow, { onView, onDelete }: TemplateActions): RowAction[] {
	const { _id, isGone } = template
	const name = templateTitle(template.name)
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

/** Renders the picture, title, name and text of a template, and the reason when it cannot be sent. */
function Name({ template }: { template: TemplateRow }) {
	const { _id, name, status, isGone, needsHeaderFile } = template
	const reason = obstacleOf(template)
	return (
		<div className={styles.name}>
			<HeaderThumbnail template={template} />
			<div>
				<b>
					<TwoLines text={templateTitle(name)} />
				</b>
				<small className={`fine ${styles.file}`}>{name}</small>
				<span className={`quiet ${styles.text}`}>
					<UserText text={reason ?? bodyOf(template)} />
				</span>
				{status === 'APPROVED' && !isGone && !needsHeaderFile && (
					<Link
						className={styles.use}
						to={templateCampaignPath(_id)}
						aria-label={`Use in a campaign: ${templateTitle(name)}`}
					>
						Use in a campaign
					</Link>
				)}
			</div>
		</div>
	)
}

/** Returns the reason why a template cannot be sent; null when it can be sent, or while WhatsApp reviews it. */
function obstacleOf({ rejectedReason, isGone, needsHeaderFile }: TemplateRow): string | null {
	if (isGone) return 'No longer at WhatsApp: it cannot be sent'
	if (rejectedReason !== null) return rejectionText(rejectedReason)
	return needsHeaderFile ? 'Its header file is missing: open it and upload one' : null
}

/** Returns the body's text with its examples, without the marks of bold text. */
function bodyOf({ components }: TemplateRow): string {
	const body = findComponent(components, 'BODY')
	const text = body?.text ?? ''
	const variables = variablesIn(text)
	const examples = examplesOf(body, variables)
	return fillVariables(text, (name) => examples[variables.indexOf(name)]).replaceAll('*', '')
}

/** Renders language, category and quality in one line, for phones. */
function Summary({ template }: { template: TemplateRow }) {
	return (
		<>
			{languageName(template.language)} · <Category template={template} /> · Quality: <QualityBadge of={template} />
		</>
	)
}

function Category({ template: { category, correctCategory } }: { template: TemplateRow }) {
	const isMoving = correctCategory !== null && correctCategory !== category
	return (
		<>
			<CategoryWord category={category} />
			{isMoving && (
				<Box component="span" className="quiet" display="block" maw={420} fw={400}>
					may change to {categoryName(correctCategory)}
				</Box>
			)}
		</>
	)
}
