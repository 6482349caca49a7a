import { Box, Group } from '@mantine/core'
import type { TemplateRow } from '#features/templates/contract.ts'
import { variablesIn } from '#features/templates/placeholders.ts'
import { CopyButton } from '#lib/web/ui/form/copy-button.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { languageName } from '../language-name.ts'
import { examplesOf } from '../meta-examples.ts'
import { QualityBadge, TemplateStatusBadge } from '../status-badges.tsx'
import { useVersions } from './use-versions.ts'
import styles from './templates.module.css'

interface TemplateFactsProps {
	template: TemplateRow
	lastSyncedAt: string | null
}

export function TemplateFacts({ template, lastSyncedAt }: TemplateFactsProps) {
	const { name, language, status, category, previousCategory, quality, template_id, createdAt, isGone } = template
	const others = useVersions(template)?.filter((code) => code !== language) ?? []
	return (
		<dl className={`facts ${styles.facts}`}>
			<dt>Status</dt>
			<dd>
				<TemplateStatusBadge status={isGone ? 'GONE' : status} />
			</dd>
			<dt>Category</dt>
			<dd>
				{category}
				{previousCategory && previousCategory !== category && (
					<Box component="small" className="quiet" display="block">
						before: {previousCategory}
					</Box>
				)}
			</dd>
			<dt>Language</dt>
			<dd>
				{languageName(language)}
				{others.length > 0 && (
					<Box component="small" className="quiet" display="block">
						also: {others.map(languageName).join(', ')}
					</Box>
				)}
			</dd>
			<dt>Quality</dt>
			<dd>
				<QualityBadge quality={quality} />
			</dd>
			{samplesOf(template).map(({ variable, example }) => (
				<Sample key={variable} variable={variable} example={example} />
			))}
			<dt>Added</dt>
			<dd>
				<DateTime iso={createdAt} />
			</dd>
			<dt>Last synced</dt>
			<dd>{lastSyncedAt ? <DateTime iso={lastSyncedAt} as="relative" /> : 'Never'}</dd>
			<dt>Template ID</dt>
			{/* The copy button is higher than the line; it must not stretch it. */}
			<Group component="dd" my={-4} gap={4} wrap="nowrap">
				{template_id}
				<CopyButton text={template_id} what={`the ID of ${name}`} />
			</Group>
		</dl>
	)
}

function Sample({ variable, example }: { variable: string; example: string }) {
	return (
		<>
			<dt>{`{{${variable}}}`}</dt>
			<dd>for example “{example}”</dd>
		</>
	)
}

function samplesOf({ components }: TemplateRow): { variable: string; example: string }[] {
	const body = components.find(({ type }) => type.toUpperCase() === 'BODY')
	const variables = variablesIn(body?.text ?? '')
	const examples = examplesOf(body, variables)
	return variables.flatMap((variable, index) => {
		const example = examples[index]
		return example === undefined ? [] : [{ variable, example }]
	})
}
