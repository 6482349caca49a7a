import { Button, Modal } from '@mantine/core'
import { IconSpeakerphone } from '@tabler/icons-react'
import { Link } from 'react-router'
import { templateCampaignPath } from '#features/campaigns/paths.ts'
import type { TemplateRow } from '#features/templates/contract.ts'
import { rejectionText } from '#features/templates/rejection-text.ts'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { TemplatePreview } from '../parts.tsx'
import { TemplateFacts } from './template-facts.tsx'
import { UploadHeader } from './upload-header.tsx'
import styles from './templates.module.css'

interface TemplateViewProps {
	/** Kept while the dialog fades out. */
	template: TemplateRow | null
	opened: boolean
	/** Null if never. */
	lastSyncedAt: string | null
	onClose: () => void
}

/** A preview of a template, and its facts from Meta. */
export function TemplateView({ template, opened, lastSyncedAt, onClose }: TemplateViewProps) {
	return (
		<Modal opened={opened} onClose={onClose} title={template?.name} size={760}>
			{template && (
				<div className={styles.view}>
					<div className="stack">
						<Notices template={template} />
						<TemplateFacts template={template} lastSyncedAt={lastSyncedAt} />
						{template.status === 'APPROVED' && !template.isGone && !template.needsHeaderFile && (
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
					<TemplatePreview components={template.components} template={template} />
				</div>
			)}
		</Modal>
	)
}

/** What keeps it from being sent, or soon changes its price. */
function Notices({ template }: { template: TemplateRow }) {
	const { rejectedReason, isGone, needsHeaderFile, category, correctCategory } = template
	return (
		<>
			{isGone && (
				<Notice tone="warn" title="No longer at WhatsApp">
					It was deleted there and cannot be sent. We keep it here because campaigns use it.
				</Notice>
			)}
			{rejectedReason && !isGone && (
				<Notice tone="error" title="Why it was rejected">
					{rejectionText(rejectedReason)}
				</Notice>
			)}
			{correctCategory !== null && correctCategory !== category && (
				<Notice tone="warn" title={`WhatsApp moves it to ${correctCategory}`}>
					Its messages then cost what {correctCategory.toLowerCase()} messages cost.
				</Notice>
			)}
			{needsHeaderFile && !isGone && <UploadHeader template={template} />}
		</>
	)
}
