import { Alert, Button, Modal } from '@mantine/core'
import { IconAlertCircle, IconSpeakerphone } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { templateCampaignPath } from '#features/campaigns/paths.ts'
import type { TemplateRow } from '#features/templates/contract.ts'
import { CopyButton } from '#lib/web/ui/copy-button.tsx'
import { languageName } from '../language-name.ts'
import { TemplatePreview } from '../parts.tsx'
import { QualityBadge, TemplateStatusBadge } from '../status-badges.tsx'
import styles from './templates.module.css'

interface TemplateViewProps {
	/** None: closed. */
	template: TemplateRow | null
	onClose: () => void
}

/** A template as customers see it, and what Meta says about it. */
export function TemplateView({ template, onClose }: TemplateViewProps) {
	// What was shown stays while the dialog fades out.
	const [shown, setShown] = useState(template)
	if (template && template !== shown) setShown(template)
	return (
		<Modal opened={template !== null} onClose={onClose} title={shown?.name} size={720}>
			{shown && (
				<div className={styles.view}>
					<Facts template={shown} />
					<TemplatePreview components={shown.components} template={shown} />
				</div>
			)}
		</Modal>
	)
}

function Facts({ template }: { template: TemplateRow }) {
	const { name, language, status, category, quality, rejectedReason, template_id } = template
	const samples = samplesOf(template)
	return (
		<div className="stack">
			{rejectedReason && (
				<Alert color="red" icon={<IconAlertCircle size={20} aria-hidden />} title="Why it was rejected">
					{rejectedReason}
				</Alert>
			)}
			<dl className={styles.facts}>
				<dt>Status</dt>
				<dd>
					<TemplateStatusBadge status={status} />
				</dd>
				<dt>Category</dt>
				<dd>{category}</dd>
				<dt>Language</dt>
				<dd>{languageName(language)}</dd>
				<dt>Quality</dt>
				<dd>
					<QualityBadge quality={quality} />
				</dd>
				{samples.map((sample, index) => (
					<Sample key={`${index}-${sample}`} number={index + 1} text={sample} />
				))}
				<dt>Template ID</dt>
				<dd className={styles.id}>
					{template_id}
					<CopyButton text={template_id} what={`the ID of ${name}`} />
				</dd>
			</dl>
			{status === 'APPROVED' && (
				<Button
					className={styles.use}
					component={Link}
					to={templateCampaignPath(template._id)}
					leftSection={<IconSpeakerphone size={16} aria-hidden />}
				>
					Use in a campaign
				</Button>
			)}
		</div>
	)
}

function Sample({ number, text }: { number: number; text: string }) {
	return (
		<>
			<dt>{`{{${number}}}`}</dt>
			<dd>for example “{text}”</dd>
		</>
	)
}

/** Meta keeps one example per variable of the body, as a list in a list. */
function samplesOf({ components }: TemplateRow): string[] {
	const body = components.find(({ type }) => type.toUpperCase() === 'BODY')
	const { body_text: lists } = (body?.['example'] ?? {}) as { body_text?: unknown }
	const first: unknown = Array.isArray(lists) ? lists[0] : null
	return Array.isArray(first) ? first.map(String) : []
}
