import { Button, Group, NativeSelect, Skeleton, Tabs } from '@mantine/core'
import type { ComponentType } from 'react'
import { useCurrentUser } from '#features/auth/web/parts.tsx'
import { RecentSignIns } from '#features/auth/web/recent-sign-ins.tsx'
import { SecondFactorCard } from '#features/auth/web/second-factor/second-factor-card.tsx'
import { SessionList } from '#features/auth/web/session-list.tsx'
import { OptOutCard } from '#features/chats/web/settings/opt-out-card.tsx'
import { LimitCard } from '#features/delivery/web/parts.tsx'
import { SendingRulesCard } from '#features/delivery/web/sending-rules-card.tsx'
import { PushCard } from '#features/notifications/web/push-card.tsx'
import { privacyPath } from '#features/privacy/paths.ts'
import { AccountData } from '#features/privacy/web/account-data.tsx'
import { LowBalance } from '#features/statements/web/statement/low-balance.tsx'
import { userPaths, type SettingsPart } from '#features/users/paths.ts'
import { BusinessCard } from '#features/users/web/profile/business-card.tsx'
import { admits, type Access } from '#lib/endpoint.ts'
import { Link } from '#lib/web/router/link.tsx'
import { latePart } from '#lib/web/ui/late-part.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { useIsPhone } from '#lib/web/ui/state/use-is-phone.ts'
import { useSearchText } from '#lib/web/ui/state/use-search-text.ts'

interface Part {
	part: SettingsPart
	/** Persons who see the part. */
	access: Access
	label: string
	Content: ComponentType
}

/** Returns the component that keeps the place of a card while it loads; `height` is in pixels. */
const place = (height: number) => () => <Skeleton height={height} radius="lg" />

// Loaded separately, because most accounts have no programs.
const DeveloperCards = latePart(
	() => import('#features/developer/web/developer-cards.tsx').then((module) => module.DeveloperCards),
	place(320),
)

const SavedRepliesCard = latePart(
	() => import('#features/replies/web/saved/saved-replies-card.tsx').then((module) => module.SavedRepliesCard),
	place(72),
)

const AutomaticRepliesCard = latePart(
	() => import('#features/replies/web/automatic/automatic-card.tsx').then((module) => module.AutomaticRepliesCard),
	place(166),
)

const PeopleCard = latePart(
	() => import('#features/users/web/colleagues/people-card.tsx').then((module) => module.PeopleCard),
	place(320),
)

const WorkCard = latePart(
	() => import('#features/auth/web/work-card.tsx').then((module) => module.WorkCard),
	place(320),
)

const SECURITY: Part = { part: 'security', access: 'signed-in', label: 'Security', Content: Security }
const PARTS: readonly Part[] = [
	{ part: 'business', access: 'owner', label: 'Business', Content: BusinessCard },
	{ part: 'alerts', access: 'manager', label: 'Alerts', Content: Alerts },
	{ part: 'rules', access: 'manager', label: 'Sending rules', Content: Rules },
	{ part: 'replies', access: 'manager', label: 'Replies', Content: Replies },
	{ part: 'people', access: 'owner', label: 'People', Content: PeopleCard },
	{ part: 'activity', access: 'manager', label: 'Activity', Content: WorkCard },
	SECURITY,
	{ part: 'data', access: 'owner', label: 'Data', Content: Data },
	{ part: 'developers', access: 'owner', label: 'Developers', Content: DeveloperCards },
]

/** Number of tabs that fit on one line of a phone. */
const MAX_PHONE_TABS = 3

/** Renders the settings of the signed-in person, one part at a time: `?part=alerts`. Admins and agents have only Security. */
export function SettingsScreen() {
	const user = useCurrentUser()
	const parts = PARTS.filter(({ access }) => user && admits(access, user))
	const [wanted, setWanted] = useSearchText('part')
	const shown = parts.find(({ part }) => part === wanted) ?? parts[0] ?? SECURITY
	const isPhone = useIsPhone()
	// The tabs would take three lines of a phone.
	if (isPhone && parts.length > MAX_PHONE_TABS)
		return (
			<>
				<PageHeader title="Settings" />
				<div className="stack">
					<NativeSelect
						aria-label="Part of the settings"
						data={parts.map(({ part, label }) => ({ value: part, label }))}
						value={shown.part}
						onChange={({ currentTarget }) => setWanted(currentTarget.value)}
					/>
					<shown.Content />
				</div>
			</>
		)
	return (
		<>
			<PageHeader title="Settings" />
			<Tabs value={shown.part} onChange={(part) => setWanted(part ?? '')}>
				<Tabs.List mb={16}>
					{parts.map(({ part, label }) => (
						<Tabs.Tab key={part} value={part}>
							{label}
						</Tabs.Tab>
					))}
				</Tabs.List>
				<Tabs.Panel value={shown.part}>
					<div className="stack">
						<shown.Content />
					</div>
				</Tabs.Panel>
			</Tabs>
		</>
	)
}

function Alerts() {
	return (
		<>
			<PushCard />
			<LowBalance />
		</>
	)
}

function Replies() {
	return (
		<>
			<SavedRepliesCard />
			<AutomaticRepliesCard />
			<OptOutCard />
		</>
	)
}

function Rules() {
	return (
		<>
			<LimitCard />
			<SendingRulesCard />
		</>
	)
}

function Security() {
	return (
		<>
			<Card
				narrow
				title="Password"
				actions={
					<Button component={Link} to={`${userPaths.profile}?edit=1`} variant="default">
						Change Password
					</Button>
				}
			/>
			<SecondFactorCard />
			<SessionList />
			<RecentSignIns />
		</>
	)
}

function Data() {
	return (
		<>
			<AccountData />
			<Card
				narrow
				title="Data of your customers"
				hint="A customer may ask what data you have about them, or ask you to delete it."
			>
				<Group>
					<Button component={Link} to={privacyPath} variant="default">
						Data and privacy
					</Button>
				</Group>
			</Card>
		</>
	)
}
