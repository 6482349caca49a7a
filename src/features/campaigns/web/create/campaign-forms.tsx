import { Button, Skeleton } from '@mantine/core'
import { IconClockOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { campaigns, type CampaignDetail } from '#features/campaigns/contract.ts'
import { campaignPath } from '#features/campaigns/paths.ts'
import { readId } from '#lib/fields.ts'
import { isMissing, messageOf } from '#lib/web/api.ts'
import { query } from '#lib/web/query.ts'
import { useSearchParams } from '#lib/web/router/hooks.ts'
import { Link } from '#lib/web/router/link.tsx'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { LoadError } from '#lib/web/ui/feedback/load-error.tsx'
import { Missing } from '#lib/web/ui/feedback/missing.tsx'
import { useDelayed } from '#lib/web/ui/feedback/use-delayed.ts'
import { loadLateStyles } from '#lib/web/ui/late-styles.ts'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { NO_CAMPAIGN } from '../campaign-errors.ts'
import { fieldsFrom } from './campaign-body.ts'
import { CampaignForm } from './campaign-form.tsx'
import type { OwnFigures } from './campaign-preview.tsx'
import { EMPTY_FIELDS } from './fields/campaign-fields.ts'
import { NEW_DRAFT } from './steps/first-step.tsx'

const EditCampaign = lazy(async () => {
	const [{ EditCampaign: Screen }] = await Promise.all([import('./edit-campaign.tsx'), loadLateStyles()])
	return { default: Screen }
})

/**
 * Shows an empty form, one with a template (`?template=5`), group (`?group=6`) or segment (`?segment=6`) chosen, a copy
 * of an earlier campaign (`?from=7`), or the change of one that has not started (`?edit=8`).
 */
export function CampaignForms({ figures }: { figures: OwnFigures }) {
	const [search] = useSearchParams()
	const [edit, from] = ['edit', 'from'].map((name) => readId(search.get(name)))
	if (edit) return <ChangedCampaign key={edit} id={edit} />
	if (!from) return <NewCampaign figures={figures} />
	return (
		<Loaded key={from} id={from}>
			{(campaign) => (
				<CampaignForm
					initial={fieldsFrom(campaign)}
					draftName={`campaign:from-${from}`}
					source={campaign}
					figures={figures}
				/>
			)}
		</Loaded>
	)
}

function ChangedCampaign({ id }: { id: string }) {
	return (
		<Loaded id={id}>
			{(campaign) =>
				isWaiting(campaign) ? (
					<Suspense>
						<EditCampaign campaign={campaign} />
					</Suspense>
				) : (
					<TooLate campaign={campaign} />
				)
			}
		</Loaded>
	)
}

function NewCampaign({ figures }: { figures: OwnFigures }) {
	const [search] = useSearchParams()
	const [group, segment] = ['group', 'segment'].map((name) => readId(search.get(name)))
	const template = search.get('template') ?? ''
	return (
		<CampaignForm
			initial={{
				...EMPTY_FIELDS,
				templateId: template,
				...(group && { audienceType: 'group', selectedGroup: group }),
				...(segment && { audienceType: 'segment', segmentId: segment }),
			}}
			draftName={draftName({ template, group, segment })}
			source={undefined}
			figures={figures}
		/>
	)
}

/** Returns the name of a draft: one for each template, group and segment that the form is opened with. */
function draftName(chosen: { template: string; group: string | undefined; segment: string | undefined }): string {
	const [kind, id] = Object.entries(chosen).find(([, value]) => value) ?? []
	return id ? `campaign:${kind}-${id}` : NEW_DRAFT
}

/** Loads a campaign once: a later answer does not change fields that a person edits. */
function Loaded({ id, children }: { id: string; children: (campaign: CampaignDetail) => ReactNode }) {
	const { data, error, isFetching, refetch } = useQuery(query(campaigns.get, { params: { id } }))
	const [loaded, setLoaded] = useState<CampaignDetail | null>(null)
	if (!loaded && data && !isFetching) setLoaded(data.campaign)
	const isLate = useDelayed(!loaded && !error)
	if (loaded) return children(loaded)
	if (isMissing(error)) return <Missing {...NO_CAMPAIGN} />
	if (error)
		return (
			<LoadError message={messageOf(error, 'Failed to fetch campaign details')} reading={{ refetch, isFetching }} />
		)
	return isLate ? <Skeleton height={320} radius="lg" /> : null
}

function isWaiting({ status, startedAt }: CampaignDetail): boolean {
	return startedAt === null && (status === 'pending' || status === 'paused')
}

function TooLate({ campaign: { _id, name } }: { campaign: CampaignDetail }) {
	return (
		<EmptyState
			icon={<IconClockOff size={32} stroke={1.5} aria-hidden />}
			title="You can no longer edit this campaign"
			hint="It has started or was cancelled. Duplicate it to send a changed copy."
			action={
				<Button component={Link} to={campaignPath(_id)} variant="default">
					Back to <UserText text={name} />
				</Button>
			}
		/>
	)
}
