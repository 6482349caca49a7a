import { Box, Group } from '@mantine/core'
import type { TemplateRow } from '#features/templates/contract.ts'
import { countedTarget } from '#features/templates/counted-link.ts'
import { ttlText } from '#features/templates/limits.ts'
import { variablesIn } from '#features/templates/placeholders.ts'
import { categoryName } from '#features/templates/template-words.ts'
import { findComponent } from '#features/templates/values.ts'
import { CopyButton } from '#lib/web/ui/form/copy-button.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { Facts } from '#lib/web/ui/value/facts.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { languageName } from '../language-name.ts'
import { examplesOf } from '../meta-examples.ts'
import { QualityBadge, TemplateStatusBadge } from '../parts.tsx'
import { CategoryWord } from './template-marks.tsx'
import { useVersions } from './use-versions.ts'
import styles from './templates.module.css'

interface TemplateFactsProps {
	template: TemplateRow
	lastSyncedAt: string | null
}

export function TemplateFacts({ template, lastSyncedAt }: TemplateFactsProps) {
	const { name, language, status, category, previousCategory, template_id, createdAt, isGone, ttlSeconds } = template
	const others = useVersions(template)?.filter((code) => code !== language) ?? []
	return (
		<Facts
			className={styles.facts}
			of={{
				Name: name,
				Status: <TemplateStatusBadge status={isGone ? 'GONE' : status} />,
				Category: (
					<>
						<CategoryWord category={category} />
						{previousCategory && previousCategory !== category && (
							<Box component="small" className="quiet" display="block">
								before: {categoryName(previousCategory)}
							</Box>
						)}
					</>
				),
				Language: (
					<>
						{languageName(language)}
						{others.length > 0 && (
							<Box component="small" className="quiet" display="block">
								also: {others.map(languageName).join(', ')}
							</Box>
						)}
					</>
				),
				Quality: <QualityBadge of={template} />,
				'Delivery stops after': ttlSeconds === null ? null : ttlText(ttlSeconds),
				...samplesOf(template),
				...countedLinksOf(template),
				Added: <DateTime iso={createdAt} />,
				'Last synced': lastSyncedAt ? <DateTime iso={lastSyncedAt} as="relative" /> : 'Never',
				// Negative margin, because the copy button is higher than the line and must not stretch it.
				'Template ID': (
					<Group my={-4} gap={4} wrap="nowrap">
						{template_id}
						<CopyButton text={template_id} what={`the ID of ${name}`} />
					</Group>
				),
			}}
		/>
	)
}

/** Returns the targets of counted buttons, by button text. */
function countedLinksOf({ components }: TemplateRow): Record<string, React.ReactNode> {
	const buttons = findComponent(components, 'BUTTONS')?.buttons ?? []
	const links = buttons.flatMap((button): [string, React.ReactNode][] => {
		const target = countedTarget(button)
		return target === null ? [] : [[`“${button.text ?? ''}”`, <CountedLink key={target} target={target} />]]
	})
	return Object.fromEntries(links)
}

function CountedLink({ target }: { target: string }) {
	return (
		<>
			<UserText text={target} />
			<Box component="small" className="quiet" display="block">
				clicks are counted
			</Box>
		</>
	)
}

/** Returns the example of each variable that has one. */
function samplesOf({ components }: TemplateRow): Record<string, string> {
	const body = findComponent(components, 'BODY')
	const variables = variablesIn(body?.text ?? '')
	const examples = examplesOf(body, variables)
	const samples = variables.flatMap((variable, index): [string, string][] => {
		const example = examples[index]
		return example === undefined ? [] : [[`{{${variable}}}`, `for example “${example}”`]]
	})
	return Object.fromEntries(samples)
}
